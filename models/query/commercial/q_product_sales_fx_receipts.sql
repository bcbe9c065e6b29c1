-- Exchange rates that figures may be converted by.
with
    rates as (select * from {{ ref("stg_commercial__rates") }}),

    final as (
        select
            rates.fx_receipt_key,
            rates.base_currency::character(3) as base_currency,
            rates.quote_currency::character(3) as quote_currency,
            rates.rate,
            rates.rate_kind,
            rates.rate_period_start,
            rates.rate_period_end,
            {{ tidegate.publication_tail("rates.fx_receipt_key") }}
        from rates
    )

select *
from final
