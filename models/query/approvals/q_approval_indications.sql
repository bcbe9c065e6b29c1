-- Indications as documents state them. What a document does not say is not known: drug and segment
-- are those of links that may be published, the line is the one it names.
with
    indications as (select * from {{ ref("stg_labels__indications") }}),

    documents as (select * from {{ ref("int_approval_documents") }}),

    drugs as (
        select *
        from {{ ref("links__approvals") }}
        where subject_kind = 'approval_drug' and publishable
    ),

    segments as (
        select *
        from {{ ref("links__approvals") }}
        where subject_kind = 'approval_segment' and publishable
    ),

    lines as (select * from {{ ref("stg_spines__treatment_lines") }}),

    final as (
        select
            indications.approval_indication_key,
            indications.approval_document_key,
            indications.application_key,
            indications.regulator,
            indications.region_code,
            indications.indication_text,
            indications.original_language_code::character(2) as original_language_code,
            indications.original_language_text,
            indications.translation_version,
            drugs.target_key as resolved_drug_key,
            indications.condition_text,
            segments.target_key as segment_key,
            lines.treatment_line_key,
            indications.approval_basis,
            indications.label_section_code,
            indications.effective_date as first_effective_date,
            documents.superseded_on as valid_to,
            'regulator_primary'::text as source_authority_tier,
            {{ tidegate.publication_tail("indications.approval_indication_key") }}
        from indications
        inner join documents on documents.approval_document_key = indications.approval_document_key
        left join drugs on drugs.subject_key = indications.approval_indication_key
        left join segments on segments.subject_key = indications.approval_indication_key
        left join lines on lines.label = indications.treatment_line
    )

select *
from final
