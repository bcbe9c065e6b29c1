-- What companies print of their sales, and what a currency cost.
with
    sales as (select * from {{ ref("stg_commercial__sales") }}),

    rates as (select * from {{ ref("stg_commercial__rates") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    {
                        "relation": "sales",
                        "type": "product_sales_value",
                        "family": "'company_filing'",
                        "tier": "staged.source_authority_tier",
                        "parser": "sales/1",
                        "key": "staged.sales_fact_key",
                        "fact": "reported_value",
                        "number": "staged.reported_value",
                        "text": "staged.reported_text",
                        "unit": "staged.reported_currency || ' ' || staged.reported_scale",
                        "shape": "text_quote",
                        "locator": "jsonb_build_object('exact', staged.reported_text, 'record', staged.record_number)",
                        "quote": "staged.reported_text",
                        "native": "'reported_sales'",
                        "version": "'sha256:' || staged.content_sha256",
                        "semantics": "'weak'",
                        "high_impact": true,
                    },
                    {
                        "relation": "rates",
                        "type": "fx_rate",
                        "family": "'fx_rates'",
                        "tier": "'official_statistics'",
                        "parser": "fx/1",
                        "key": "staged.fx_receipt_key",
                        "fact": "rate",
                        "number": "staged.rate",
                        "shape": "csv_cell",
                        "locator": "jsonb_build_object('row', staged.record_number, 'column', 'rate')",
                        "native": "'fx_rates'",
                        "version": "'sha256:' || staged.content_sha256",
                        "semantics": "'weak'",
                    },
                ]
            )
        }}
    )

select *
from claims
