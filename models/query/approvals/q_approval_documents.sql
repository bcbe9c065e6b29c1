-- Versions of the documents of applications, each with the version that followed it.
with
    documents as (select * from {{ ref("int_approval_documents") }}),

    final as (
        select
            documents.approval_document_key,
            documents.application_key,
            documents.document_kind,
            documents.source_native_id,
            documents.source_version_id,
            documents.effective_date,
            documents.language_code::character(2) as language_code,
            documents.known_url as document_url,
            documents.superseded_by_key,
            {{ tidegate.publication_tail("documents.approval_document_key") }}
        from documents
    )

select *
from final
