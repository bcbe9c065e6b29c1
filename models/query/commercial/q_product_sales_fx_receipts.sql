-- Exchange rates that figures may be converted by.
with
    rates as (select * from {{ ref("product_sales_fx_receipts") }}),

    final as (
        select
            rates.fx_receipt_key,
            rates.base_currency,
            rates.quote_currency,
            rates.rate,
            rates.rate_kind,
            rates.rate_period_start,
            rates.rate_period_end,
            {{ tidegate.publication_tail("rates.fx_receipt_key") }}
        from rates
    )

select *
from final
