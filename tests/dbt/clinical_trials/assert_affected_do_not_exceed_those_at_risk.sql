-- Nobody is affected who was not at risk.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with events as (select * from {{ ref("q_trial_adverse_events") }})

select
    events.trial_adverse_event_key as row_key,
    'block' as level,
    'more_affected_than_at_risk' as reason,
    '{}'::jsonb as metadata
from events
where events.subjects_affected > events.subjects_at_risk
