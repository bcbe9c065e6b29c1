-- What a figure is in US dollars, where a receipt has its very period. A figure in the quote
-- currency is divided by the rate.
with
    facts as (select * from {{ ref("product_sales_facts") }}),

    rates as (select * from {{ ref("product_sales_fx_receipts") }}),

    final as (
        select
            facts.sales_fact_key,
            rates.base_currency as target_currency,
            rates.fx_receipt_key,
            round(
                facts.reported_value / rates.rate, facts.reported_decimals::integer
            ) as converted_value,
            facts.reported_scale as converted_scale,
            '1'::text as formula_version,
            facts.source_artifact_key,
            facts.content_sha256,
            facts.immutable_uri,
            facts.record_number,
            facts.received_at
        from facts
        inner join
            rates
            on rates.quote_currency = facts.reported_currency
            and rates.base_currency = 'USD'
            and rates.rate_kind = 'period_average'
            and rates.rate_period_start = facts.period_start
            and rates.rate_period_end = facts.period_end
        where rates.rate > 0
    )

select *
from final
