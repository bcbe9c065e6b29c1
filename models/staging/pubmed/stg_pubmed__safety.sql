-- Adverse events that each publication reports.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "safety") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "arm") }} as arm_label,
            {{ tidegate.json_text("parts.part", "population") }} as population_label,
            {{ tidegate.json_text("parts.part", "term") }} as ae_term,
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "meddraLevel"), "q_publication_safety", "meddra_level") }},
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("parts.part", "gradeBucket") ~ ", 'not_stated')", "q_publication_safety", "grade_bucket") }},
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("parts.part", "relatedness") ~ ", 'not_stated')", "q_publication_safety", "relatedness") }},
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("parts.part", "attribution") ~ ", 'unknown')", "q_publication_safety", "attribution_state") }}
        from parts
    ),

    final as (
        select
            'pub_safety:' || concat_ws(
                ':',
                extracted.record_id,
                coalesce(extracted.arm_label, ''),
                extracted.population_label,
                extracted.ae_term,
                extracted.source_grade_bucket,
                extracted.source_relatedness
            ) as publication_safety_key,
            'pub_arm:' || extracted.record_id || ':' || extracted.arm_label as publication_arm_key,
            'pub_population:'
            || extracted.record_id
            || ':'
            || extracted.population_label as publication_population_key,
            extracted.*,
            {{ tidegate.to_integer(tidegate.json_text("extracted.part", "affected")) }} as affected,
            {{ tidegate.to_integer(tidegate.json_text("extracted.part", "safetyN")) }} as safety_n,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "percent")) }}
            as value_percent
        from extracted
    )

select *
from final
