-- A resolved key stands exactly where the link is accepted.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    linked as (
        select
            'q_trial_sponsors|' || sponsors.trial_sponsor_key as row_key,
            sponsors.resolved_organisation_key as resolved_key,
            sponsors.link_state
        from {{ ref("q_trial_sponsors") }} as sponsors
        union all
        select
            'q_trial_conditions|' || conditions.trial_condition_key,
            conditions.resolved_segment_key,
            conditions.link_state
        from {{ ref("q_trial_conditions") }} as conditions
        union all
        select
            'q_trial_interventions|' || interventions.trial_intervention_key,
            interventions.resolved_drug_key,
            interventions.link_state
        from {{ ref("q_trial_interventions") }} as interventions
    )

select
    linked.row_key,
    'block' as level,
    case
        when linked.resolved_key is null
        then 'accepted_link_without_key'
        else 'key_without_accepted_link'
    end as reason,
    jsonb_build_object('link_state', linked.link_state) as metadata
from linked
where
    (linked.link_state in ('exact', 'verified', 'curated'))
    is distinct from (linked.resolved_key is not null)
