-- An arm is named exactly where its link is accepted: a group whose title merely looks like an arm
-- never claims one.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    linked as (
        select
            'q_trial_result_groups|' || groups.result_group_key as row_key,
            groups.arm_key,
            groups.arm_link_state
        from {{ ref("q_trial_result_groups") }} as groups
        union all
        select
            'q_trial_outcomes|' || outcomes.trial_outcome_key,
            outcomes.arm_key,
            outcomes.arm_link_state
        from {{ ref("q_trial_outcomes") }} as outcomes
        union all
        select
            'q_trial_adverse_events|' || events.trial_adverse_event_key,
            events.arm_key,
            events.arm_link_state
        from {{ ref("q_trial_adverse_events") }} as events
    )

select
    linked.row_key,
    'block' as level,
    case
        when linked.arm_key is null
        then 'accepted_link_without_arm'
        else 'arm_without_accepted_link'
    end as reason,
    jsonb_build_object('arm_link_state', linked.arm_link_state) as metadata
from linked
where
    (linked.arm_link_state in ('exact_label', 'verified', 'curated'))
    is distinct from (linked.arm_key is not null)
