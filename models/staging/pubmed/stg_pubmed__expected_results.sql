-- Which subgroups and endpoints each publication sets against each other, so that what was not read
-- is found.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "expectedResults") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "population") }} as population_label,
            {{ tidegate.json_text("parts.part", "endpointPhrase") }} as raw_endpoint_phrase,
            {{ tidegate.json_text("parts.part", "locator") }} as source_locator,
            {{ tidegate.json_text("parts.part", "revision") }} as task_revision,
            coalesce(
                {{ tidegate.json_boolean("parts.part", "isTargetSlice") }}, false
            ) as is_target_slice
        from parts
    ),

    final as (
        select
            'pub_expected:'
            || extracted.record_id
            || ':'
            || extracted.population_label
            || ':'
            || extracted.raw_endpoint_phrase as publication_expected_result_key,
            'pub_population:'
            || extracted.record_id
            || ':'
            || extracted.population_label as publication_population_key,
            extracted.*
        from extracted
    )

select *
from final
