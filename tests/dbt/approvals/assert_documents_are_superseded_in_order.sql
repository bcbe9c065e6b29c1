-- A version is followed by a later one of the same document, and an indication ends where it does.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "approvals"}}) }}
with
    documents as (select * from {{ ref("q_approval_documents") }}),

    indications as (select * from {{ ref("q_approval_indications") }})

select
    'q_approval_documents|' || documents.approval_document_key as row_key,
    'block' as level,
    'superseded_by_other_document' as reason,
    '{}'::jsonb as metadata
from documents
inner join documents as later on later.approval_document_key = documents.superseded_by_key
where
    later.source_native_id <> documents.source_native_id
    or later.effective_date < documents.effective_date
union all
select
    'q_approval_indications|' || indications.approval_indication_key,
    'block',
    'ends_before_it_begins',
    '{}'::jsonb
from indications
where indications.valid_to < indications.first_effective_date
