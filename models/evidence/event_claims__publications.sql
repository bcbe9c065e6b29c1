-- That each article was published: its date in the index says so.
with
    claims as (select * from {{ ref("claims__publications") }}),

    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    final as (
        select
            'event:' || claims.claim_id as event_claim_id,
            claims.claim_id,
            claims.subject_key,
            'publication'::text as event_family,
            'published'::text as event_status,
            'publicationDate'::text as source_status_text,
            publications.publication_date as event_date,
            coalesce(publications.publication_date_precision, 'unknown') as event_date_precision,
            'confirmed'::text as truth_mode,
            claims.source_authority_tier,
            claims.source_family
        from claims
        inner join publications on publications.publication_key = claims.subject_key
        where claims.claim_type = 'announcement_event'
    )

select *
from final
