-- Adverse events as published, each number with the arm it was stated for.
with
    safety as (select * from {{ ref("stg_pubmed__safety") }}),

    final as (
        select
            safety.publication_safety_key,
            safety.publication_key,
            safety.publication_arm_key,
            safety.publication_population_key,
            safety.ae_term,
            safety.meddra_level,
            safety.grade_bucket,
            safety.relatedness,
            safety.affected,
            safety.safety_n,
            safety.value_percent,
            safety.attribution_state,
            safety.source_quote,
            {{ tidegate.publication_tail("safety.publication_safety_key") }}
        from safety
    )

select *
from final
