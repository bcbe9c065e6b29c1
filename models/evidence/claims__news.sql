-- What articles say has happened, in the words of each.
with
    statements as (
        select statements.*, documents.version_semantics, documents.observed_at
        from {{ ref("stg_news__statements") }} as statements
        inner join
            {{ ref("stg_news__documents") }} as documents
            on documents.document_id = statements.document_id
            and documents.is_latest
    ),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    {
                        "relation": "statements",
                        "type": "announcement_event",
                        "family": "staged.source_family",
                        "tier": "staged.source_authority_tier",
                        "parser": "news/1",
                        "key": "staged.news_event_key",
                        "fact": "event_status",
                        "text": "staged.source_status_text",
                        "shape": "text_quote",
                        "locator": "staged.locator",
                        "quote": "staged.source_quote",
                        "native": "staged.document_id",
                        "version": "staged.source_version_id",
                        "semantics": "staged.version_semantics",
                        "observed": "staged.observed_at",
                    }
                ]
            )
        }}
    )

select *
from claims
