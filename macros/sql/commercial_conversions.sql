{#- Conversions beside their fact and their receipt: value in the base currency = value / rate. -#}
{%- macro commercial_conversion_violations(gate) -%}
    union all
    select
        concat_ws(
            '|', conversions.sales_fact_key, conversions.target_currency, conversions.fx_receipt_key
        ),
        found.level,
        found.reason,
        jsonb_build_object('receipt', receipts.fx_receipt_key is not null)
        || {{ tidegate.key_of_another(gate, ["conversions.sales_fact_key", "conversions.target_currency", "conversions.fx_receipt_key"]) }}
    from conversions
    left join judged on judged.sales_fact_key = conversions.sales_fact_key
    left join receipts on receipts.fx_receipt_key = conversions.fx_receipt_key
    cross join
        lateral(
            select num_nulls(judged.sales_fact_key, receipts.fx_receipt_key) = 0 as both
        ) as known
    cross join
        lateral(
            values
                (judged.sales_fact_key is null, 'block', 'fact_missing'),
                (receipts.fx_receipt_key is null, 'block', 'receipt_absent'),
                (
                    known.both
                    and (receipts.quote_currency, receipts.base_currency)
                    is distinct from (judged.reported_currency, conversions.target_currency),
                    'block',
                    'receipt_of_other_currencies'
                ),
                (
                    known.both
                    and (receipts.rate_period_start, receipts.rate_period_end)
                    is distinct from (judged.period_start, judged.period_end),
                    'block',
                    'receipt_of_another_period'
                ),
                (
                    known.both
                    and (
                        abs(conversions.converted_value * receipts.rate - judged.reported_value)
                        <= {{ tidegate.literal(gate.options.rounding) }}::numeric * receipts.rate
                    )
                    is not true,
                    'block',
                    'conversion_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}
