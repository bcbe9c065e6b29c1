-- What regulators say: the indications of labels in their own words, and decisions on submissions.
with
    indications as (
        select indications.*, documents.source_native_id
        from {{ ref("stg_labels__indications") }} as indications
        inner join
            {{ ref("stg_labels__documents") }} as documents
            on documents.approval_document_key = indications.approval_document_key
    ),

    submissions as (select * from {{ ref("stg_drugsatfda__submissions") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    {
                        "relation": "indications",
                        "type": "approved_indication_text",
                        "family": "'spl_label'",
                        "tier": "'regulator_primary'",
                        "parser": "labels/1",
                        "key": "staged.approval_indication_key",
                        "fact": "indication_text",
                        "text": "staged.original_language_text",
                        "shape": "label_section",
                        "locator": "jsonb_build_object('set_id', staged.source_native_id, 'version', staged.source_version_id, 'loinc', staged.label_section_code, 'pointer', staged.pointer)",
                        "quote": "staged.original_language_text",
                        "language": "staged.original_language_code",
                        "native": "staged.source_native_id",
                        "version": "staged.source_version_id",
                        "semantics": "'strong'",
                        "high_impact": true,
                    },
                    {
                        "relation": "submissions",
                        "type": "regulatory_event",
                        "family": "'drugs_at_fda'",
                        "tier": "'regulator_primary'",
                        "parser": "drugsatfda/1",
                        "key": "staged.approval_event_key",
                        "fact": "event_status",
                        "text": "staged.source_event_status",
                        "shape": "csv_cell",
                        "locator": "jsonb_build_object('row', staged.record_number, 'column', 'SubmissionStatus')",
                        "native": "'drugsatfda_submissions'",
                        "version": "'sha256:' || staged.content_sha256",
                        "semantics": "'weak'",
                        "high_impact": true,
                    },
                ]
            )
        }}
    )

select *
from claims
