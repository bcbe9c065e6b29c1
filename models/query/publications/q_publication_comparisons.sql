-- Estimates between two arms.
with
    comparisons as (select * from {{ ref("stg_pubmed__comparisons") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            comparisons.publication_comparison_key,
            comparisons.publication_key,
            comparisons.publication_population_key,
            comparisons.experimental_arm_key,
            comparisons.control_arm_key,
            names.owner_key as canonical_endpoint_key,
            comparisons.raw_endpoint_phrase,
            comparisons.effect_measure,
            comparisons.value_num,
            comparisons.ci_level,
            comparisons.ci_lower,
            comparisons.ci_upper,
            comparisons.p_value_modifier,
            comparisons.p_value,
            comparisons.source_quote,
            {{ tidegate.publication_tail("comparisons.publication_comparison_key") }}
        from comparisons
        left join
            names
            on names.spine = 'endpoint'
            and names.normalized_name
            = {{ tidegate.normalized_name("comparisons.raw_endpoint_phrase") }}
    )

select *
from final
