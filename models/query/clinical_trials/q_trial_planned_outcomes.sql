-- T11: what a protocol plans to measure; an endpoint is linked where the title tells one.
with
    outcomes as (select * from {{ ref("stg_ctgov__planned_outcomes") }}),

    endpoints as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_endpoint' and publishable
    ),

    final as (
        select
            outcomes.trial_planned_outcome_key,
            outcomes.trial_key,
            outcomes.outcome_type,
            outcomes.ordinal,
            outcomes.measure,
            outcomes.time_frame,
            outcomes.description,
            endpoints.target_key as canonical_endpoint_key,
            {{ tidegate.publication_tail("outcomes.trial_planned_outcome_key") }}
        from outcomes
        left join
            endpoints
            on endpoints.subject_key
            = {{ tidegate.alias_key("trial_endpoint", "clinical_trials", "outcomes.measure") }}
    )

select *
from final
