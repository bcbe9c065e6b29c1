-- Every captured revision of every article and of every abstract of a meeting, with what makes it
-- an immutable artefact. Where the publisher numbers its revisions the number is the version; else
-- it is the moment of publication.
with
    landed as (
        select
            articles.document_id,
            articles.snapshot_id,
            articles.revision,
            articles.source_family,
            articles.publisher,
            articles.published_at,
            articles.title,
            articles.body,
            articles.payload,
            {{ tidegate.technical_columns("articles") }}
        from {{ source("news", "documents") }} as articles
        union all
        select
            abstracts.document_id,
            abstracts.snapshot_id,
            abstracts.revision,
            'conference',
            abstracts.meeting,
            abstracts.published_at,
            abstracts.title,
            abstracts.body,
            abstracts.payload,
            {{ tidegate.technical_columns("abstracts") }}
        from {{ source("conference", "conference_abstracts") }} as abstracts
    ),

    captured as (
        select
            landed.document_id,
            landed.document_id as source_native_id,
            landed.source_family,
            {{ tidegate.news_version("landed") }} as source_version_id,
            {{ tidegate.news_version_semantics("landed") }} as version_semantics,
            landed.publisher,
            landed.published_at,
            landed.title,
            landed.body,
            landed.payload,
            landed._artifact_sha256::text as content_hash,
            'sha256'::text as content_hash_algorithm,
            landed.snapshot_id as observed_at,
            landed._received_at as fetched_at,
            landed._delivery_id as delivery_id,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    ),

    final as (
        select
            captured.*,
            lag(captured.source_artifact_key) over (
                partition by
                    captured.source_family, captured.source_native_id, captured.source_version_id
                order by captured.delivery_id
            ) as supersedes_artifact_key,
            row_number() over (
                partition by captured.document_id
                order by captured.observed_at desc, captured.delivery_id desc
            )
            = 1 as is_latest
        from captured
    )

select *
from final
