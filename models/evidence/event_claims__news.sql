-- What articles say has happened: announced there, confirmed nowhere.
with
    claims as (select * from {{ ref("claims__news") }}),

    statements as (select * from {{ ref("stg_news__statements") }}),

    final as (
        select
            'event:' || claims.claim_id as event_claim_id,
            claims.claim_id,
            claims.subject_key,
            statements.event_family,
            statements.event_status,
            statements.source_status_text,
            statements.event_date,
            coalesce(statements.event_date_precision, 'unknown') as event_date_precision,
            statements.truth_mode,
            claims.source_authority_tier,
            claims.source_family
        from claims
        inner join statements on statements.news_event_key = claims.subject_key
    )

select *
from final
