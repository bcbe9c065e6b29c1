-- Intervals of one trial are half-open, end after they begin and never overlap; gaps are legal.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    history as (
        select
            intervals.trial_key,
            intervals.valid_from,
            intervals.valid_to,
            lead(intervals.valid_from) over (
                partition by intervals.trial_key order by intervals.valid_from
            ) as next_from
        from {{ ref("q_trial_status_history") }} as intervals
    )

select
    history.trial_key || '|' || history.valid_from as row_key,
    'block' as level,
    case
        when history.valid_to <= history.valid_from
        then 'interval_is_empty'
        else 'intervals_overlap'
    end as reason,
    '{}'::jsonb as metadata
from history
where
    history.valid_to <= history.valid_from
    or (
        history.next_from is not null and coalesce(history.valid_to, 'infinity') > history.next_from
    )
