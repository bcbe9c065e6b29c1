-- What lists that are kept by hand say of organisations and of guidelines, one interval a claim.
{%- set listed = {
    "family": "'reference_list'",
    "tier": "'reference_list'",
    "parser": "spines/1",
    "shape": "csv_cell",
    "version": "'sha256:' || staged.content_sha256",
    "semantics": "'weak'",
    "observed": "staged.observed_at",
} %}
with
    relationships as (select * from {{ ref("stg_spines__organisation_relationships") }}),

    recommendations as (select * from {{ ref("stg_spines__soc_recommendations") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        listed,
                        relation="relationships",
                        type="ownership_relationship",
                        key=tidegate.relationship_subject("staged"),
                        fact="relationship_type",
                        text="staged.relationship_type",
                        native="'organisation_relationships'",
                        locator="jsonb_build_object('row', staged.record_number, 'column', 'relationship_type')"
                    ),
                    dict(
                        listed,
                        relation="recommendations",
                        type="soc_recommendation",
                        key=tidegate.recommendation_subject("staged"),
                        fact="strength",
                        text="staged.strength",
                        native="'soc_recommendations'",
                        locator="jsonb_build_object('row', staged.record_number, 'column', 'strength')"
                    ),
                ]
            )
        }}
    )

select *
from claims
