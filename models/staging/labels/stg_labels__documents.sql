-- One version of one label document; of records delivered twice, the last.
with
    landed as (select * from {{ source("labels", "label_documents") }} as landed),

    ranked as (
        select
            landed.*,
            row_number() over (
                partition by landed.native_id, landed.version
                order by landed._delivery_id desc, landed._record_number desc
            ) as recency
        from landed
    ),

    extracted as (
        select
            ranked.native_id as source_native_id,
            ranked.version as source_version_id,
            ranked.payload,
            {{ tidegate.json_text("ranked.payload", "regulator") }} as regulator,
            {{ tidegate.json_text("ranked.payload", "regionCode") }} as region_code,
            {{ tidegate.json_text("ranked.payload", "applicationNumber") }} as application_number,
            {{ tidegate.json_text("ranked.payload", "documentKind") }} as source_document_kind,
            {{ tidegate.json_text("ranked.payload", "languageCode") }} as language_code,
            {{ tidegate.json_text("ranked.payload", "drugName") }} as drug_name,
            {{ tidegate.first_day(tidegate.json_text("ranked.payload", "effectiveDate")) }}
            as effective_date,
            {{ tidegate.receipt_columns("ranked") }}
        from ranked
        where ranked.recency = 1
    ),

    final as (
        select
            'approval_document:'
            || extracted.regulator
            || ':'
            || extracted.source_native_id
            || ':'
            || extracted.source_version_id as approval_document_key,
            'application:'
            || extracted.regulator
            || ':'
            || extracted.application_number as application_key,
            {{ tidegate.mapped("extracted.source_document_kind", "q_approval_documents", "document_kind") }}
            as document_kind,
            extracted.*
        from extracted
    )

select *
from final
