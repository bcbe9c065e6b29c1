-- What each label version says a product is for, statement by statement.
with
    documents as (select * from {{ ref("stg_labels__documents") }}),

    stated as (
        select
            documents.*,
            indication.document as statement,
            '/indications/' || (indication.position - 1) as pointer
        from documents
        cross join lateral {{ tidegate.json_elements("documents.payload", "indications") }}
        with ordinality as indication(document, position)
    ),

    extracted as (
        select
            stated.approval_document_key,
            stated.application_key,
            stated.regulator,
            stated.region_code,
            stated.language_code as original_language_code,
            stated.drug_name,
            {{ tidegate.json_text("stated.statement", "section") }} as label_section_code,
            {{ tidegate.json_text("stated.statement", "number") }} as section_number,
            {{ tidegate.json_text("stated.statement", "condition") }} as condition_text,
            {{ tidegate.json_text("stated.statement", "text") }} as original_language_text,
            {{ tidegate.json_text("stated.statement", "translation/text") }} as translated_text,
            {{ tidegate.json_text("stated.statement", "translation/version") }}
            as translation_version,
            case
                {{ tidegate.json_text("stated.statement", "translation/translator") }}
                when 'official'
                then 'official'
                when 'human'
                then 'human'
                else 'machine'
            end as translator_kind,
            {{ tidegate.json_text("stated.statement", "line") }} as treatment_line,
            {{ tidegate.json_text("stated.statement", "basis") }} as source_approval_basis,
            stated.effective_date,
            stated.pointer,
            stated.source_version_id,
            stated.source_artifact_key,
            stated.content_sha256,
            stated.immutable_uri,
            stated.record_number,
            stated.received_at
        from stated
    ),

    -- English text is its own translation; any other has one or none.
    final as (
        select
            'approval_indication:'
            || substr(extracted.approval_document_key, length('approval_document:') + 1)
            || ':'
            || extracted.section_number as approval_indication_key,
            extracted.*,
            case
                when extracted.original_language_code = 'en'
                then extracted.original_language_text
                else extracted.translated_text
            end as indication_text,
            {{ tidegate.mapped("coalesce(extracted.source_approval_basis, 'unknown')", "q_approval_indications", "approval_basis") }}
            as approval_basis
        from extracted
    )

select *
from final
