-- Populations and subgroups that each publication analyses.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "populations") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "label") }} as population_label,
            {{ tidegate.json_text("parts.part", "parent") }} as parent_label
        from parts
    ),

    final as (
        select
            'pub_population:'
            || extracted.record_id
            || ':'
            || extracted.population_label as publication_population_key,
            'pub_population:'
            || extracted.record_id
            || ':'
            || extracted.parent_label as parent_population_key,
            extracted.*,
            {{ tidegate.source_and_mapped(tidegate.json_text("extracted.part", "kind"), "q_publication_populations", "population_kind") }},
            {{ tidegate.json_text("extracted.part", "condition") }} as condition_text,
            {{ tidegate.to_integer(tidegate.json_text("extracted.part", "n")) }} as n_total,
            {{ tidegate.source_and_mapped(tidegate.json_text("extracted.part", "nBasis"), "q_publication_populations", "n_basis") }}
        from extracted
    )

select *
from final
