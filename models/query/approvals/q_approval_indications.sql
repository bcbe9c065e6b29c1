-- Indications as documents state them. Drug, segment and line are linked by exact names only:
-- what a
-- document does not say is not known.
with
    indications as (select * from {{ ref("stg_labels__indications") }}),

    documents as (select * from {{ ref("int_approval_documents") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    links as (
        select *
        from {{ ref("links__approvals") }}
        where subject_kind = 'approval_drug' and publishable
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
            links.target_key as resolved_drug_key,
            indications.condition_text,
            segment_names.owner_key as segment_key,
            lines.treatment_line_key,
            indications.approval_basis,
            indications.label_section_code,
            indications.effective_date as first_effective_date,
            documents.superseded_on as valid_to,
            'regulator_primary'::text as source_authority_tier,
            {{ tidegate.publication_tail("indications.approval_indication_key") }}
        from indications
        inner join documents on documents.approval_document_key = indications.approval_document_key
        left join links on links.subject_key = indications.approval_indication_key
        left join
            names as segment_names
            on segment_names.spine = 'segment'
            and segment_names.normalized_name
            = {{ tidegate.normalized_name("indications.condition_text") }}
        left join lines on lines.label = indications.treatment_line
    )

select *
from final
