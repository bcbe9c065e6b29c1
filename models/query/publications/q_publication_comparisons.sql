-- Estimates between two arms.
with
    comparisons as (select * from {{ ref("stg_pubmed__comparisons") }}),

    links as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    final as (
        select
            comparisons.publication_comparison_key,
            comparisons.publication_key,
            comparisons.publication_population_key,
            comparisons.experimental_arm_key,
            comparisons.control_arm_key,
            links.target_key as canonical_endpoint_key,
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
        left join links on links.subject_key = comparisons.publication_comparison_key
    )

select *
from final
