-- One complete receipt for every row of the family, and one for each statement of an indication.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set claims = ref("claims__approvals") %}
{%- set evidence = [ref("event_claims__approvals"), ref("translations"), ref("enum_quarantine__approvals")] %}
{%- set indications = ref("stg_labels__indications") %}
{%- set said = tidegate.claim_id("approved_indication_text", "staged.approval_indication_key", "indication_text") %}
with
    receipts as (
        {{
    tidegate.receipt_rows(
        [
            {
                "model": "q_approval_applications",
                "staged": ref("stg_drugsatfda__applications"),
                "key": ["application_key"],
            },
            {
                "model": "q_approval_products",
                "staged": ref("stg_drugsatfda__products"),
                "key": ["approval_product_key"],
            },
            {
                "model": "q_approval_events",
                "staged": ref("stg_drugsatfda__submissions"),
                "key": ["approval_event_key"],
                "claim": tidegate.claim_id("regulatory_event", "staged.approval_event_key", "event_status"),
            },
            {
                "model": "q_approval_documents",
                "staged": ref("int_approval_documents"),
                "key": ["approval_document_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
            },
            {
                "model": "q_approval_indications",
                "staged": indications,
                "key": ["approval_indication_key"],
                "pointer": "staged.pointer",
                "claim": said,
                "version": "staged.source_version_id",
            },
            {
                "model": "q_approval_indications",
                "staged": indications,
                "key": ["approval_indication_key"],
                "fact": "indication_text",
                "claim": said,
                "pointer": "staged.pointer || case when staged.original_language_code = 'en' then '/text' else '/translation/text' end",
                "version": "staged.source_version_id",
            },
            {
                "model": "q_regulatory_designations",
                "staged": ref("stg_drugsatfda__designations"),
                "key": ["designation_key"],
            },
        ],
        "regulator_primary",
        claims=claims,
    )
}}
    )

select *
from receipts
union all
{{
    tidegate.linked_receipts(
        "receipts",
        [
            {
                "model": "q_approval_applications",
                "fact": "resolved_organisation_key",
                "rows": ref("stg_drugsatfda__applications"),
                "key": ["application_key"],
                "kind": "org_alias",
                "subject": tidegate.alias_key("org_alias", "approvals", "linked.sponsor_name"),
            },
            {
                "model": "q_approval_products",
                "fact": "resolved_drug_key",
                "rows": ref("stg_drugsatfda__products"),
                "key": ["approval_product_key"],
                "kind": "approval_drug",
                "subject": "linked.approval_product_key",
            },
            {
                "model": "q_approval_indications",
                "fact": "resolved_drug_key",
                "rows": indications,
                "key": ["approval_indication_key"],
                "kind": "approval_drug",
                "subject": "linked.approval_indication_key",
            },
            {
                "model": "q_approval_indications",
                "fact": "segment_key",
                "rows": indications,
                "key": ["approval_indication_key"],
                "kind": "approval_segment",
                "subject": "linked.approval_indication_key",
            },
        ],
        links=ref("links__approvals"),
    )
}}
