-- One complete receipt for every row of the family: the record of the landed list. A list that the
-- project keeps has no version of its own, so the version is the hash of its bytes.
{#- Receipts stand on claims that passed their gates. #}
{%- set attested = [] %}
{%- for model_name, staged, key in [
    ("q_organisations", ref("stg_spines__organisations"), ["organisation_key"]),
    ("q_drugs", ref("stg_spines__drugs"), ["drug_key"]),
    ("q_disease_segments", ref("stg_spines__disease_segments"), ["segment_key"]),
    ("q_treatment_lines", ref("stg_spines__treatment_lines"), ["treatment_line_key"]),
    ("q_endpoints", ref("stg_spines__endpoints"), ["canonical_endpoint_key"]),
    ("q_countries", ref("stg_spines__countries"), ["country_code"]),
] %}
    {%- do attested.append({"model": model_name, "staged": staged, "key": key}) %}
{%- endfor %}
{%- do attested.append(
    {
        "model": "q_soc_recommendations",
        "staged": ref("stg_spines__soc_recommendations"),
        "key": ["soc_key", "valid_from"],
        "claim": tidegate.claim_id("soc_recommendation", tidegate.recommendation_subject("staged"), "strength"),
    }
) %}
{%- do attested.append(
    {
        "model": "q_organisation_relationships",
        "staged": ref("stg_spines__organisation_relationships"),
        "key": ["relationship_key", "valid_from"],
        "claim": tidegate.claim_id("ownership_relationship", tidegate.relationship_subject("staged"), "relationship_type"),
        "where": "staged.relationship_type = any("
        ~ tidegate.closed_array("q_organisation_relationships", "relationship_type")
        ~ ")",
    }
) %}
{{ tidegate.receipt_rows(attested, "reference_list", ref("claims__spines")) }}
