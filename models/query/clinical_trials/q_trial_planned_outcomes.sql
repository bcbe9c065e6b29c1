-- T11: what a protocol plans to measure; an endpoint is linked where its exact name is known.
with
    outcomes as (select * from {{ ref("stg_ctgov__planned_outcomes") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            outcomes.trial_planned_outcome_key,
            outcomes.trial_key,
            outcomes.outcome_type,
            outcomes.ordinal,
            outcomes.measure,
            outcomes.time_frame,
            outcomes.description,
            names.owner_key as canonical_endpoint_key,
            {{ tidegate.publication_tail("outcomes.trial_planned_outcome_key") }}
        from outcomes
        left join
            names
            on names.spine = 'endpoint'
            and names.normalized_name = {{ tidegate.normalized_name("outcomes.measure") }}
    )

select *
from final
