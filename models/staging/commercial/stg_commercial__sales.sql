-- Reported sales, one printed figure a row. The value is what the text prints, in its own currency
-- and scale; "International*" stays the company's own region.
with
    landed as (select * from {{ source("commercial", "reported_sales") }} as landed),

    printed as (
        select
            landed.*,
            regexp_replace(
                substring(
                    landed.reported_text from '[0-9][0-9,''’ \u00A0\u2009\u202F]*(?:[.][0-9]+)?'
                ),
                '[^0-9.]',
                '',
                'g'
            ) as digits
        from landed
    ),

    final as (
        select
            'sales:' || printed.fact_id as sales_fact_key,
            'sales:' || printed.restates_fact_id as restates_fact_key,
            printed.organisation as organisation_name,
            printed.line_item_label,
            printed.drug_name,
            {{ tidegate.source_and_mapped("printed.measure", "q_product_sales_facts", "measure") }},
            {{ tidegate.source_and_mapped("printed.period_kind", "q_product_sales_facts", "period_kind") }},
            printed.fiscal_year,
            printed.fiscal_quarter,
            printed.period_start,
            printed.period_end,
            printed.geography_label,
            {{ tidegate.source_and_mapped("printed.geography_scheme", "q_product_sales_facts", "geography_scheme") }},
            printed.geography_code,
            printed.reported_text,
            printed.digits::numeric as reported_value,
            scale(printed.digits::numeric)::smallint as reported_decimals,
            printed.reported_currency,
            {{ tidegate.source_and_mapped("printed.reported_scale", "q_product_sales_facts", "reported_scale") }},
            {{ tidegate.source_and_mapped("printed.evidence_kind", "q_product_sales_facts", "evidence_kind") }},
            {{ tidegate.source_and_mapped("printed.restatement_reason", "q_product_sales_facts", "restatement_reason") }},
            {{ tidegate.source_and_mapped("printed.source_authority_tier", "q_product_sales_facts", "source_authority_tier") }},
            printed.source_url,
            {{ tidegate.receipt_columns("printed") }}
        from printed
    )

select *
from final
