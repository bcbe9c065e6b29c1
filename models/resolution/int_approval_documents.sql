-- Document versions of all sources. Where a label was delivered as a record of its own, that record
-- tells more than the link of the FDA, so it is the one that is kept.
with
    candidates as (
        select
            labels.approval_document_key,
            labels.application_key,
            labels.document_kind,
            labels.source_native_id,
            labels.source_version_id,
            labels.effective_date,
            labels.language_code,
            null::text as document_url,
            ''::text as pointer,
            labels.source_artifact_key,
            labels.content_sha256,
            labels.immutable_uri,
            labels.record_number,
            labels.received_at,
            1 as precedence
        from {{ ref("stg_labels__documents") }} as labels
        union all
        select
            links.approval_document_key,
            links.application_key,
            links.document_kind,
            links.source_native_id,
            links.source_version_id,
            links.effective_date,
            'en',
            links.document_url,
            null,
            links.source_artifact_key,
            links.content_sha256,
            links.immutable_uri,
            links.record_number,
            links.received_at,
            2
        from {{ ref("stg_drugsatfda__application_docs") }} as links
    ),

    chosen as (
        select distinct
            on (candidates.approval_document_key)
            candidates.*,
            max(candidates.document_url) over (
                partition by candidates.approval_document_key
            ) as known_url
        from candidates
        order by candidates.approval_document_key, candidates.precedence
    ),

    final as (
        select
            chosen.*,
            lead(chosen.approval_document_key) over versions as superseded_by_key,
            lead(chosen.effective_date) over versions as superseded_on
        from chosen
        window
            versions as (
                partition by chosen.application_key, chosen.source_native_id
                order by chosen.effective_date, chosen.source_version_id
            )
    )

select *
from final
