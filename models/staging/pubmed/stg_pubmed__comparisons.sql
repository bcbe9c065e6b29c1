-- Estimates between two arms that each publication reports.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "comparisons") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "population") }} as population_label,
            {{ tidegate.json_text("parts.part", "experimentalArm") }} as experimental_label,
            {{ tidegate.json_text("parts.part", "controlArm") }} as control_label,
            {{ tidegate.json_text("parts.part", "endpointPhrase") }} as raw_endpoint_phrase,
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "effectMeasure"), "q_publication_comparisons", "effect_measure") }},
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "pModifier"), "q_publication_comparisons", "p_value_modifier") }}
        from parts
    ),

    final as (
        select
            'pub_comparison:' || concat_ws(
                ':',
                extracted.record_id,
                extracted.population_label,
                extracted.experimental_label,
                extracted.control_label,
                extracted.raw_endpoint_phrase,
                extracted.source_effect_measure
            ) as publication_comparison_key,
            'pub_population:'
            || extracted.record_id
            || ':'
            || extracted.population_label as publication_population_key,
            'pub_arm:'
            || extracted.record_id
            || ':'
            || extracted.experimental_label as experimental_arm_key,
            'pub_arm:' || extracted.record_id || ':' || extracted.control_label as control_arm_key,
            extracted.*,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "value")) }} as value_num,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "ciLevel")) }} as ci_level,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "ciLower")) }} as ci_lower,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "ciUpper")) }} as ci_upper,
            {{ tidegate.to_number(tidegate.json_text("extracted.part", "pValue")) }} as p_value
        from extracted
    )

select *
from final
