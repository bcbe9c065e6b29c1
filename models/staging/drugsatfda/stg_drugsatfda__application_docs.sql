-- Documents that the FDA links to submissions. The FDA gives them no version, so their date is it.
with
    landed as (select * from {{ source("drugsatfda", "drugsatfda_application_docs") }} as landed),

    kinds as (
        select * from {{ source("drugsatfda", "drugsatfda_application_docs_type_lookup") }} as kinds
    ),

    dated as (
        select
            landed.*,
            coalesce(
                to_char(landed.application_docs_date, 'YYYY-MM-DD'), 'undated'
            ) as source_version_id
        from landed
    ),

    final as (
        select
            'approval_document:FDA:'
            || dated.application_docs_id
            || ':'
            || dated.source_version_id as approval_document_key,
            'application:FDA:' || dated.appl_no as application_key,
            kinds.application_docs_type_description as source_document_kind,
            case
                when kinds.application_docs_type_description = 'Letter'
                then 'approval_letter'
                when kinds.application_docs_type_description = 'Label'
                then 'label'
                when kinds.application_docs_type_description in ('Review', 'Summary Review')
                then 'review'
                when
                    kinds.application_docs_type_description
                    in ('Medication Guide', 'Patient Package Insert')
                then 'package_leaflet'
            end as document_kind,
            dated.application_docs_id::text as source_native_id,
            dated.source_version_id,
            dated.application_docs_date::date as effective_date,
            dated.application_docs_url as document_url,
            {{ tidegate.receipt_columns("dated") }}
        from dated
        left join kinds on kinds.application_docs_type_id = dated.application_docs_type_id
    )

select *
from final
