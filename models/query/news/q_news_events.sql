-- What articles say has happened, one statement a row, never more than the article says.
with
    statements as (select * from {{ ref("stg_news__statements") }}),

    links as (
        select * from {{ ref("links__news") }} where subject_kind = 'news_subject' and publishable
    ),

    final as (
        select
            statements.news_event_key,
            statements.document_id,
            statements.source_family,
            statements.publisher,
            statements.headline,
            statements.event_family,
            statements.event_status,
            statements.source_status_text,
            statements.truth_mode,
            drugs.target_key as subject_drug_key,
            segments.target_key as segment_key,
            organisations.target_key as organisation_key,
            statements.event_date,
            statements.event_date_precision,
            statements.published_at,
            statements.source_quote,
            statements.source_version_id,
            statements.source_authority_tier,
            {{ tidegate.publication_tail("statements.news_event_key") }}
        from statements
        left join
            links as drugs
            on drugs.subject_key
            = {{ tidegate.alias_key("news_subject", "news:drug", "statements.drug_name") }}
        left join
            links as segments
            on segments.subject_key
            = {{ tidegate.alias_key("news_subject", "news:disease", "statements.disease_name") }}
        left join
            links as organisations
            on organisations.subject_key
            = {{ tidegate.alias_key("news_subject", "news:organisation", "statements.organisation_name") }}
    )

select *
from final
