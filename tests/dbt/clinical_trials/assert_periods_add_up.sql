-- In every period of every group, those who started completed or did not.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    counted as (
        select
            flow.result_group_key,
            split_part(flow.trial_flow_key, ':', 3) as period,
            sum(flow.participants) filter (where flow.event_type = 'STARTED') as started,
            sum(flow.participants) filter (where flow.event_type = 'COMPLETED') as completed,
            sum(flow.participants) filter (where flow.event_type = 'NOT COMPLETED') as not_completed
        from {{ ref("q_trial_participant_flow") }} as flow
        where flow.event_kind = 'milestone'
        group by flow.result_group_key, split_part(flow.trial_flow_key, ':', 3)
    )

select
    counted.result_group_key || '|' || counted.period as row_key,
    'block' as level,
    'period_does_not_add_up' as reason,
    '{}'::jsonb as metadata
from counted
where counted.started <> counted.completed + counted.not_completed
