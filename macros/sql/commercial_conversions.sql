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
    from conversions
    left join judged on judged.sales_fact_key = conversions.sales_fact_key
    left join receipts on receipts.fx_receipt_key = conversions.fx_receipt_key
    cross join
        lateral(
            values
                (judged.sales_fact_key is null, 'block', 'fact_missing'),
                (receipts.fx_receipt_key is null, 'block', 'receipt_absent'),
                (
                    receipts.quote_currency <> judged.reported_currency
                    or receipts.base_currency <> conversions.target_currency,
                    'block',
                    'receipt_of_other_currencies'
                ),
                (
                    receipts.rate_period_start <> judged.period_start
                    or receipts.rate_period_end <> judged.period_end,
                    'block',
                    'receipt_of_another_period'
                ),
                (
                    abs(
                        conversions.converted_value
                        - judged.reported_value / nullif(receipts.rate, 0)
                    )
                    > {{ tidegate.literal(gate.options.rounding) }}::numeric,
                    'block',
                    'conversion_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}
