-- One card for each thing that can be found, made of what is published.
{%- set entities = [
    {
        "model": ref("q_organisations"),
        "key": ["organisation_key"],
        "kind": "organisation",
        "label": "source.display_name",
        "facets": ["organisation_kind", "country_code", "status"],
    },
    {
        "model": ref("q_drugs"),
        "key": ["drug_key"],
        "kind": "drug",
        "label": "source.preferred_name",
        "facets": ["drug_kind", "atc_codes"],
    },
    {
        "model": ref("q_disease_segments"),
        "key": ["segment_key"],
        "kind": "disease_segment",
        "label": "source.preferred_label",
        "facets": ["icd10_codes", "biomarker_expression", "parent_segment_key"],
    },
    {
        "model": ref("q_treatment_lines"),
        "key": ["treatment_line_key"],
        "kind": "treatment_line",
        "label": "replace(source.label, '_', ' ')",
        "facets": ["line_min", "line_max"],
    },
    {
        "model": ref("q_endpoints"),
        "key": ["canonical_endpoint_key"],
        "kind": "endpoint",
        "label": "source.label",
        "facets": ["code", "endpoint_family", "requires_confirmation"],
    },
    {
        "model": ref("q_trials"),
        "key": ["trial_key"],
        "kind": "trial",
        "label": "source.brief_title",
        "facets": ["nct_id", "overall_status", "phases", "study_type", "has_results"],
    },
    {
        "model": ref("q_publications"),
        "key": ["publication_key"],
        "kind": "publication",
        "label": "source.title",
        "facets": ["publication_kind", "venue", "publication_date", "is_retracted"],
        "where": "source.duplicate_of_publication_key is null",
    },
    {
        "model": ref("q_approval_products"),
        "key": ["approval_product_key"],
        "kind": "approval_product",
        "label": "source.brand_name",
        "facets": ["active_ingredient_text", "dosage_form", "marketing_status", "resolved_drug_key"],
    },
    {
        "model": ref("q_development_programs"),
        "key": ["context_key"],
        "kind": "development_program",
        "label": "replace(source.regimen_signature, 'drug:', '') || ' in ' || coalesce(replace(source.segment_key, 'segment:', ''), 'a disease unknown')",
        "facets": [
            "current_phase",
            "clinical_activity",
            "regulatory_state",
            "historical_max_phase",
            "segment_key",
            "treatment_line_key",
            "setting",
            "region_code",
        ],
    },
] %}
{%- set entries = [] %}
{%- for entity in entities %}
    {%- set facets = [] %}
    {%- for name in entity.facets %}
        {%- do facets.append(tidegate.literal(name) ~ "::text, source." ~ tidegate.identifier(name)) %}
    {%- endfor %}
    {%- do entries.append(
        dict(
            entity,
            columns={
                "display_label": entity.label,
                "facet": "jsonb_strip_nulls(jsonb_build_object(" ~ facets | join(", ") ~ "))",
            },
        )
    ) %}
{%- endfor %}
with
    pointing as ({{ tidegate.pointing_rows("entity", entries) }}),

    final as (
        select
            pointing.pointer_key as discovery_key,
            pointing.source_q_model_name,
            pointing.source_q_row_key,
            pointing.entity_kind,
            pointing.display_label,
            pointing.facet,
            {{ tidegate.publication_tail("pointing.pointer_key") }}
        from pointing
    )

select *
from final
