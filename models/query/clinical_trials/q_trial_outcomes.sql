-- T13: every posted value of every outcome measure.
with
    outcomes as (select * from {{ ref("stg_ctgov__outcomes") }}),

    arm_links as (select * from {{ ref("int_result_group_arms") }}),

    endpoints as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_endpoint' and publishable
    ),

    final as (
        select
            outcomes.trial_outcome_key,
            outcomes.trial_key,
            outcomes.result_group_key,
            outcomes.outcome_ordinal,
            outcomes.outcome_type,
            outcomes.outcome_title,
            outcomes.time_frame,
            outcomes.population_description,
            endpoints.target_key as canonical_endpoint_key,
            outcomes.class_title,
            outcomes.category_title,
            outcomes.param_type,
            outcomes.value_text,
            outcomes.value_num,
            outcomes.value_state,
            outcomes.explanation_of_na,
            outcomes.unit_of_measure,
            outcomes.dispersion_type,
            outcomes.dispersion_value,
            outcomes.dispersion_lower,
            outcomes.dispersion_upper,
            outcomes.denominator_units,
            outcomes.denominator_count,
            outcomes.denominator_scope,
            arm_links.arm_key,
            coalesce(arm_links.arm_link_state, 'unlinked') as arm_link_state,
            outcomes.source_artifact_key,
            outcomes.content_sha256 as source_content_hash,
            outcomes.immutable_uri as source_immutable_uri,
            {{ tidegate.publication_tail("outcomes.trial_outcome_key") }}
        from outcomes
        left join arm_links on arm_links.result_group_key = outcomes.result_group_key
        left join
            endpoints
            on endpoints.subject_key
            = {{ tidegate.alias_key("trial_endpoint", "clinical_trials", "outcomes.outcome_title") }}
    )

select *
from final
