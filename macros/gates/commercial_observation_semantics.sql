{#- Product sales as printed. Periods are what their kind says, one active fact stands at a grain,
    restatements name an inactive predecessor, conversions hold with their receipt, summaries with
    their members. Relations: `receipts`, `conversions`, `summaries`, `ownership` (none unless the
    contract names it). Options: `days`, shortest and longest span of a period kind; `rounding`. -#}
{%- macro commercial_observation_semantics(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "sales_fact_key": "text", "product_key": "text", "line_item_label": "text",
        "organisation_key": "text", "measure": "text", "period_kind": "text",
        "fiscal_quarter": "integer", "period_start": "date", "period_end": "date",
        "geography_code": "text", "geography_scheme": "text", "reported_value": "numeric",
        "reported_text": "text", "reported_currency": "text", "reported_scale": "text",
        "evidence_kind": "text", "restatement_no": "integer", "restates_fact_key": "text",
        "is_active": "boolean",
    }) }}
    {{ tidegate.gate_relation(gate, "receipts", {
        "fx_receipt_key": "text", "base_currency": "text", "quote_currency": "text",
        "rate": "numeric", "rate_period_start": "date", "rate_period_end": "date",
    }) }}
    {{ tidegate.gate_relation(gate, "conversions", {
        "sales_fact_key": "text", "target_currency": "text", "fx_receipt_key": "text", "converted_value": "numeric",
    }) }}
    {{ tidegate.gate_relation(gate, "summaries", {
        "summary_key": "text", "composition": "text", "member_fact_keys": "text[]",
        "summary_value": "numeric", "evidence_kind": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "ownership", {
        "product_key": "text", "organisation_key": "text", "valid_from": "date", "valid_to": "date",
    }) }},
    facts as ({{ tidegate.commercial_facts(gate) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.commercial_period_findings() ~ "," ~ tidegate.commercial_value_findings(gate),
        tidegate.gate_metadata(gate, [
            "product_key", "organisation_key", "measure", "period_kind", "fiscal_quarter", "geography_code",
            "reported_value", "reported_text", "reported_currency", "reported_scale", "evidence_kind", "restates_fact_key",
        ]),
        "facts",
    ) }}
    {{ tidegate.commercial_conversion_violations(gate) }}
    {{ tidegate.commercial_summary_violations(gate) }}
{%- endmacro -%}

{%- macro commercial_observation_semantics_arguments() -%}
    {{- {"relations": {"receipts": "q_product_sales_fx_receipts", "conversions": "q_product_sales_conversions", "summaries": "q_product_sales_summaries", "ownership": none}, "columns": {}, "options": {"days": {"month": [28, 31], "quarter": [80, 100], "half_year": [175, 190], "nine_month_ytd": [260, 285], "annual": [350, 380]}, "rounding": 1}} | tojson -}}
{%- endmacro -%}
