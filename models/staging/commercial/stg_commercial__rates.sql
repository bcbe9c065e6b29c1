-- Exchange rates: how much of the quote currency one unit of the base currency costs.
with
    landed as (select * from {{ source("commercial", "fx_rates") }} as landed),

    final as (
        select
            'fx:' || concat_ws(
                ':',
                landed.base_currency,
                landed.quote_currency,
                landed.rate_kind,
                landed.period_start,
                landed.period_end
            ) as fx_receipt_key,
            landed.base_currency,
            landed.quote_currency,
            landed.rate,
            {{ tidegate.source_and_mapped("landed.rate_kind", "q_product_sales_fx_receipts", "rate_kind") }},
            landed.period_start as rate_period_start,
            landed.period_end as rate_period_end,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
