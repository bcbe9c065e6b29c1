-- One complete receipt for every row of the family: the record of the landed list. A list that the
-- project keeps has no version of its own, so the version is the hash of its bytes.
{#- Receipts stand on claims that passed their gates. #}
{%- set evidence = [ref("claims__spines")] %}
{%- set attested = [
    ("q_organisations", ref("stg_spines__organisations"), ["organisation_key"]),
    ("q_drugs", ref("stg_spines__drugs"), ["drug_key"]),
    ("q_disease_segments", ref("stg_spines__disease_segments"), ["segment_key"]),
    ("q_treatment_lines", ref("stg_spines__treatment_lines"), ["treatment_line_key"]),
    ("q_endpoints", ref("stg_spines__endpoints"), ["canonical_endpoint_key"]),
    ("q_countries", ref("stg_spines__countries"), ["country_code"]),
    (
        "q_organisation_relationships",
        ref("stg_spines__organisation_relationships"),
        ["relationship_key", "valid_from"],
    ),
    ("q_soc_recommendations", ref("stg_spines__soc_recommendations"), ["soc_key", "valid_from"]),
] %}
with
    located as (
        {%- for model_name, staged, key in attested %}
            select
                {{ tidegate.literal(model_name) }} as model_name,
                {{ tidegate.row_key(key, "staged") }} as row_key,
                staged.source_artifact_key,
                staged.content_sha256,
                staged.immutable_uri,
                staged.record_number,
                staged.received_at
            from {{ staged }} as staged
            {%- if model_name == "q_organisation_relationships" %}
                where
                    staged.relationship_type
                    = any({{ tidegate.closed_array(model_name, "relationship_type") }})
            {%- endif %}
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select
            located.model_name || '|' || located.row_key || '|$row' as receipt_key,
            located.model_name || '|' || located.row_key as provenance_bundle_key,
            located.model_name,
            located.row_key,
            '$row'::text as fact_path,
            'primary'::text as role,
            located.source_artifact_key,
            'sha256:' || located.content_sha256 as source_version_id,
            located.content_sha256 as source_content_hash,
            located.immutable_uri as source_immutable_uri,
            'csv_record'::text as locator_shape,
            jsonb_build_object('record', located.record_number) as locator,
            'reference_list'::text as source_authority_tier,
            'complete'::text as completeness,
            located.received_at as recorded_at,
            null::text as curation_overlay_key
        from located
    )

select *
from final
