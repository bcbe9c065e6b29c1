-- Interventions that each publication names.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "interventions") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "term") }} as source_term,
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "type"), "q_publication_interventions", "identity_type") }}
        from parts
    ),

    final as (
        select
            'pub_intervention:'
            || extracted.record_id
            || ':'
            || extracted.source_term as publication_intervention_key,
            extracted.*
        from extracted
    )

select *
from final
