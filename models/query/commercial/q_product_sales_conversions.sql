-- Figures in another currency, each with the rate it was converted by.
with
    conversions as (select * from {{ ref("product_sales_conversions") }}),

    final as (
        select
            conversions.sales_fact_key,
            conversions.target_currency::character(3) as target_currency,
            conversions.fx_receipt_key,
            conversions.converted_value,
            conversions.converted_scale,
            conversions.formula_version,
            {{ tidegate.publication_tail(tidegate.row_key(["sales_fact_key", "target_currency", "fx_receipt_key"], "conversions")) }}
        from conversions
    )

select *
from final
