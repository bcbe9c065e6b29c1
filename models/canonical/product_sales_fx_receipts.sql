-- Exchange rates that figures may be converted by, each with its own source. A rate tells how
-- much of
-- the quote currency one unit of the base currency costs.
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
            rates.source_artifact_key,
            rates.content_sha256,
            rates.immutable_uri,
            rates.record_number,
            rates.received_at
        from rates
    )

select *
from final
