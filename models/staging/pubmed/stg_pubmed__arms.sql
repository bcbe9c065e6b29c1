-- Arms and cohorts as each publication writes them.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "arms") }}),

    extracted as (
        select parts.*, {{ tidegate.json_text("parts.part", "label") }} as source_arm_label
        from parts
    ),

    final as (
        select
            'pub_arm:'
            || extracted.record_id
            || ':'
            || extracted.source_arm_label as publication_arm_key,
            extracted.*,
            {{ tidegate.source_and_mapped(tidegate.json_text("extracted.part", "role"), "q_publication_arms", "arm_role") }},
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "doseValue")) }}
            as dose_value,
            {{ tidegate.json_text("extracted.part", "doseUnit") }} as dose_unit,
            {{ tidegate.json_text("extracted.part", "schedule") }} as schedule_text,
            {{ tidegate.json_boolean("extracted.part", "isRp2d") }} as is_rp2d
        from extracted
    )

select *
from final
