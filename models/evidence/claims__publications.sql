-- What articles report: values, comparisons, adverse events, and that they were published.
{%- set indexed = {
    "family": "'pubmed'",
    "tier": "'peer_reviewed'",
    "parser": "pubmed/1",
    "shape": "text_quote",
    "native": "staged.record_id",
    "version": "staged.source_version_id",
    "semantics": "'strong'",
    "quote": "staged.source_quote",
    "locator": "jsonb_strip_nulls(jsonb_build_object('exact', staged.source_quote, 'record', staged.record_number, 'pointer', staged.pointer))",
} %}
with
    publications as (
        select *, title as source_quote
        from {{ ref("stg_pubmed__publications") }}
        where publication_date is not null
    ),

    outcomes as (select * from {{ ref("stg_pubmed__outcomes") }}),

    comparisons as (select * from {{ ref("stg_pubmed__comparisons") }}),

    safety as (select * from {{ ref("stg_pubmed__safety") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        indexed,
                        relation="outcomes",
                        type="publication_outcome_value",
                        key="staged.publication_outcome_key",
                        fact="value_num",
                        number="staged.value_num",
                        text="staged.value_text",
                        unit="staged.unit",
                        high_impact=true
                    ),
                    dict(
                        indexed,
                        relation="comparisons",
                        type="publication_comparison_value",
                        key="staged.publication_comparison_key",
                        fact="value_num",
                        number="staged.value_num",
                        unit="staged.effect_measure",
                        high_impact=true
                    ),
                    dict(
                        indexed,
                        relation="safety",
                        type="safety_value",
                        key="staged.publication_safety_key",
                        fact="value_percent",
                        number="coalesce(staged.value_percent, staged.affected)",
                        unit="case when staged.value_percent is not null then 'percent' else 'patients' end"
                    ),
                    dict(
                        indexed,
                        relation="publications",
                        type="announcement_event",
                        key="staged.publication_key",
                        fact="publication_date",
                        text="staged.date_text"
                    ),
                ]
            )
        }}
    )

select *
from claims
