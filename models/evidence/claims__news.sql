-- What articles and abstracts say has happened, in the words of each, and the values they announce.
{%- set quoted = {
    "family": "staged.source_family",
    "tier": "staged.source_authority_tier",
    "parser": "news/1",
    "shape": "text_quote",
    "locator": "staged.locator",
    "quote": "staged.source_quote",
    "native": "staged.document_id",
    "version": "staged.source_version_id",
    "semantics": "staged.version_semantics",
    "observed": "staged.observed_at",
} %}
with
    statements as (select * from {{ ref("stg_news__statements") }}),

    results as (select * from {{ ref("stg_news__results") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        quoted,
                        relation="statements",
                        type="announcement_event",
                        key="staged.news_event_key",
                        fact="event_status",
                        text="staged.source_status_text"
                    ),
                    dict(
                        quoted,
                        relation="results",
                        type="publication_outcome_value",
                        key="staged.announced_result_key",
                        fact="value_num",
                        number="staged.value_num",
                        text="staged.value_text",
                        unit="staged.unit",
                        high_impact=true
                    ),
                ]
            )
        }}
    )

select *
from claims
