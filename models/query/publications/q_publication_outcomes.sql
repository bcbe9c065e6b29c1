-- Published values, with what each is beside the registry's.
with
    outcomes as (select * from {{ ref("stg_pubmed__outcomes") }}),

    roles as (select * from {{ ref("int_publication_outcome_roles") }}),

    final as (
        select
            outcomes.publication_outcome_key,
            outcomes.publication_key,
            outcomes.publication_arm_key,
            outcomes.publication_population_key,
            roles.canonical_endpoint_key,
            outcomes.raw_endpoint_phrase,
            outcomes.response_criteria,
            outcomes.confirmation_state,
            outcomes.assessor,
            outcomes.statistic,
            outcomes.value_text,
            outcomes.value_num,
            outcomes.value_state,
            outcomes.unit,
            outcomes.numerator,
            outcomes.denominator,
            outcomes.ci_level,
            outcomes.ci_lower,
            outcomes.ci_upper,
            outcomes.timepoint_value,
            outcomes.timepoint_unit,
            roles.publication_role,
            outcomes.source_quote,
            {{ tidegate.publication_tail("outcomes.publication_outcome_key") }}
        from outcomes
        inner join roles on roles.publication_outcome_key = outcomes.publication_outcome_key
    )

select *
from final
