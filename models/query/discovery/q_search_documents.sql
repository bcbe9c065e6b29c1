-- The text that a search reads, each row with the published row that it is about.
{%- set documents = [
    {
        "model": ref("q_organisations"),
        "key": ["organisation_key"],
        "kind": "organisation",
        "title": "source.display_name",
        "body": ["source.organisation_kind", "source.country_code"],
    },
    {
        "model": ref("q_drugs"),
        "key": ["drug_key"],
        "kind": "drug",
        "title": "source.preferred_name",
        "body": ["source.drug_kind", "source.unii", "source.ncit_code", "array_to_string(source.atc_codes, ' ')"],
    },
    {
        "model": ref("q_disease_segments"),
        "key": ["segment_key"],
        "kind": "disease_segment",
        "title": "source.preferred_label",
        "body": ["source.biomarker_expression", "source.mesh_ui", "array_to_string(source.icd10_codes, ' ')"],
    },
    {
        "model": ref("q_endpoints"),
        "key": ["canonical_endpoint_key"],
        "kind": "endpoint",
        "title": "source.label",
        "body": ["source.code", "source.event_definition"],
    },
    {
        "model": ref("q_soc_recommendations"),
        "key": ["soc_key", "valid_from"],
        "kind": "soc_recommendation",
        "title": "source.regimen_label",
        "body": ["source.guideline_body", "source.guideline_version", "source.strength"],
    },
    {
        "model": ref("q_trials"),
        "key": ["trial_key"],
        "kind": "trial",
        "title": "source.brief_title",
        "body": ["source.nct_id", "source.acronym", "source.official_title"],
    },
    {
        "model": ref("q_publications"),
        "key": ["publication_key"],
        "kind": "publication",
        "title": "source.title",
        "body": ["source.venue", "source.doi", "source.pmid"],
        "where": "source.duplicate_of_publication_key is null",
    },
    {
        "model": ref("q_approval_products"),
        "key": ["approval_product_key"],
        "kind": "approval_product",
        "title": "source.brand_name",
        "body": ["source.active_ingredient_text", "source.dosage_form"],
    },
    {
        "model": ref("q_approval_indications"),
        "key": ["approval_indication_key"],
        "kind": "approval_indication",
        "title": "source.regulator || ' indication'",
        "body": ["source.indication_text", "source.original_language_text"],
    },
    {
        "model": ref("q_news_events"),
        "key": ["news_event_key"],
        "kind": "news_event",
        "title": "source.headline",
        "body": ["source.publisher", "source.source_quote"],
    },
] %}
{%- set entries = [] %}
{%- for document in documents %}
    {%- do entries.append(
        dict(
            document,
            columns={
                "title": document.title,
                "body": "concat_ws(' ', " ~ ([document.title] + document.body) | join(", ") ~ ")",
            },
        )
    ) %}
{%- endfor %}
with
    pointing as ({{ tidegate.pointing_rows("search", entries) }}),

    cards as (select * from {{ ref("q_discovery_entities") }}),

    final as (
        select
            pointing.pointer_key as search_row_key,
            pointing.source_q_model_name,
            pointing.source_q_row_key,
            pointing.entity_kind,
            pointing.title,
            pointing.body,
            cards.discovery_key,
            current_timestamp as indexed_at,
            {{ tidegate.publication_tail("pointing.pointer_key") }}
        from pointing
        left join
            cards
            on cards.source_q_model_name = pointing.source_q_model_name
            and cards.source_q_row_key = pointing.source_q_row_key
    )

select *
from final
