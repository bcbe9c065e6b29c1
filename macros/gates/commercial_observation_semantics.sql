{#- Product sales as printed. Periods are what their kind says, one active fact stands at a grain,
    restatements name an inactive predecessor, conversions hold with their receipt, summaries with
    their members. Relations: `receipts`, `conversions`, `summaries`, `ownership` (none unless the
    contract names it). Options: `days`, shortest and longest span of a period kind; `rounding`. -#}
{%- macro commercial_observation_semantics(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "sales_fact_key": "text", "product_key": "text", "line_item_label": "text",
        "organisation_key": "text", "measure": "text", "period_kind": "text",
        "fiscal_quarter": "integer", "period_start": "date", "period_end": "date",
        "geography_code": "text", "geography_scheme": "text", "reported_value": "numeric",
        "reported_text": "text", "reported_currency": "text", "reported_scale": "text",
        "evidence_kind": "text", "restatement_no": "integer", "restates_fact_key": "text",
        "is_active": "boolean",
    }) }}
    {{ tidegate.gate_relation(gate, "receipts", {
        "fx_receipt_key": "text", "base_currency": "text", "quote_currency": "text",
        "rate": "numeric", "rate_period_start": "date", "rate_period_end": "date",
    }) }}
    {{ tidegate.gate_relation(gate, "conversions", {
        "sales_fact_key": "text", "target_currency": "text", "fx_receipt_key": "text", "converted_value": "numeric",
    }) }}
    {{ tidegate.gate_relation(gate, "summaries", {
        "summary_key": "text", "composition": "text", "member_fact_keys": "text[]",
        "summary_value": "numeric", "evidence_kind": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "ownership", {
        "product_key": "text", "organisation_key": "text", "valid_from": "date", "valid_to": "date",
    }) }},
    facts as ({{ tidegate.commercial_facts(gate) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.commercial_period_findings() ~ "," ~ tidegate.commercial_value_findings(),
        tidegate.gate_metadata(gate, [
            "product_key", "organisation_key", "measure", "period_kind", "fiscal_quarter", "geography_code",
            "reported_value", "reported_text", "reported_currency", "reported_scale", "evidence_kind", "restates_fact_key",
        ]),
        "facts",
    ) }}
    {{ tidegate.commercial_conversion_violations(gate) }}
    {{ tidegate.commercial_summary_violations(gate) }}
{%- endmacro -%}

{#- Facts with what their grain, their period kind and their text say. -#}
{%- macro commercial_facts(gate) -%}
    select
        judged.*,
        count(*) filter (where judged.is_active) over same_kind as same_grain,
        count(*) filter (
            where judged.is_active and judged.evidence_kind = 'reported_actual'
        ) over grain as filed,
        count(*) filter (
            where judged.is_active and judged.geography_scheme <> 'worldwide'
        ) over period as split,
        spans.shortest,
        spans.longest,
        regexp_replace(
            substring(judged.reported_text from '[0-9][0-9,''’ \u00A0\u2009\u202F]*(?:[.][0-9]+)?'),
            '[^0-9.]',
            '',
            'g'
        ) as printed
    from judged
    left join
        (
            values
                {%- for kind, days in gate.options.days.items() %}
                    (
                        {{ tidegate.literal(kind) }}::text, {{ days[0] | int }}, {{ days[1] | int }}
                    ){{ "," if not loop.last }}
                {%- endfor %}
        ) as spans(kind, shortest, longest)
        on spans.kind = judged.period_kind
    window
        grain as (
            partition by
                judged.product_key,
                judged.line_item_label,
                judged.organisation_key,
                judged.measure,
                judged.period_kind,
                judged.period_start,
                judged.period_end,
                judged.geography_code,
                judged.reported_currency
        ),
        same_kind as (
            partition by
                judged.product_key,
                judged.line_item_label,
                judged.organisation_key,
                judged.measure,
                judged.period_kind,
                judged.period_start,
                judged.period_end,
                judged.geography_code,
                judged.reported_currency,
                judged.evidence_kind
        ),
        period as (
            partition by
                judged.product_key,
                judged.organisation_key,
                judged.measure,
                judged.period_start,
                judged.period_end
        )
{%- endmacro -%}

{%- macro commercial_period_findings() -%}
    values
        (
            judged.period_end - judged.period_start + 1 not between judged.shortest
            and judged.longest
            or judged.period_end < judged.period_start
            or (judged.period_kind = 'quarter') <> (judged.fiscal_quarter is not null)
            or judged.fiscal_quarter not between 1
            and 4,
            'block',
            'period_of_another_kind'
        ),
        (judged.is_active and judged.same_grain > 1, 'block', 'fact_duplicated'),
        (
            judged.restatement_no > 0
            and not exists (
                select 1
                from judged as before
                where
                    before.sales_fact_key = judged.restates_fact_key
                    and before.restatement_no = judged.restatement_no - 1
                    and before.is_active is not true
            ),
            'block',
            'restatement_chain_broken'
        ),
        (
            judged.geography_scheme = 'iso3166_1_alpha2'
            and (
                judged.geography_code !~ '^[A-Z]{2}$'
                or judged.geography_code ~ '^(AA|Q[M-Z]|X[A-Z]|ZZ)$'
            ),
            'block',
            'geography_not_of_its_scheme'
        ),
        (
            judged.evidence_kind in ('reported_actual', 'reported_prose')
            and exists (select 1 from ownership where ownership.product_key = judged.product_key)
            and not exists (
                select 1
                from ownership
                where
                    ownership.product_key = judged.product_key
                    and ownership.organisation_key = judged.organisation_key
                    and ownership.valid_from <= judged.period_start
                    and coalesce(ownership.valid_to, 'infinity') > judged.period_end
            ),
            'block',
            'owner_of_another_period'
        ),
        (
            judged.is_active and judged.geography_scheme = 'worldwide' and judged.split = 0,
            'warn',
            'market_split_absent'
        )
{%- endmacro -%}

{%- macro commercial_value_findings() -%}
    (
        judged.evidence_kind in ('reported_actual', 'reported_prose')
        and judged.reported_text is not null
        and judged.printed::numeric is distinct from judged.reported_value,
        'block',
        'value_differs_from_text'
    ),
    (
        judged.evidence_kind = 'reported_prose'
        and scale(judged.reported_value) <> length(split_part(judged.printed, '.', 2)),
        'block',
        'decimals_not_as_printed'
    ),
    (
        judged.evidence_kind = 'reported_prose' and judged.is_active and judged.filed > 0,
        'block',
        'prose_beside_filing'
    ),
    (
        judged.evidence_kind = 'reported_prose' and judged.is_active and judged.filed = 0,
        'warn',
        'prose_only'
    )
{%- endmacro -%}

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

{#- Summaries beside their members. -#}
{%- macro commercial_summary_violations(gate) -%}
    union all
    select
        summaries.summary_key,
        found.level,
        found.reason,
        jsonb_build_object('composition', summaries.composition, 'members', members.present)
    from summaries
    cross join lateral({{ tidegate.commercial_summary_members() }}) as members
    cross join
        lateral(
            values
                (
                    members.present <> cardinality(summaries.member_fact_keys),
                    'block',
                    'fact_missing'
                ),
                (
                    case
                        summaries.composition
                        when 'annual_reported'
                        then members.annual = 1 and members.present = 1
                        when 'sum_of_quarters'
                        then members.quarters = 4 and members.present = 4
                        when 'nine_month_plus_q4'
                        then
                            members.nine_months = 1 and members.quarters = 1 and members.present = 2
                        else summaries.composition = 'incomplete'
                    end
                    is not true,
                    'block',
                    'composition_differs'
                ),
                (
                    summaries.evidence_kind = 'reported_actual' and members.others > 0,
                    'block',
                    'forecast_as_actual'
                ),
                (members.grains > 1, 'block', 'grains_mixed'),
                (
                    members.grains = 1 and members.total <> summaries.summary_value,
                    'block',
                    'summary_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- What the members of one summary are. -#}
{%- macro commercial_summary_members() -%}
    select
        count(*) as present,
        count(*) filter (where judged.period_kind = 'annual') as annual,
        count(distinct judged.fiscal_quarter) filter (
            where judged.period_kind = 'quarter'
        ) as quarters,
        count(*) filter (where judged.period_kind = 'nine_month_ytd') as nine_months,
        count(*) filter (where judged.evidence_kind <> 'reported_actual') as others,
        count(
            distinct(
                judged.reported_currency,
                judged.reported_scale,
                judged.geography_code,
                judged.measure
            )
        ) as grains,
        sum(judged.reported_value) as total
    from judged
    where judged.sales_fact_key = any(summaries.member_fact_keys)
{%- endmacro -%}

{%- macro commercial_observation_semantics_arguments() -%}
    {{- {"relations": {"receipts": "q_product_sales_fx_receipts", "conversions": "q_product_sales_conversions", "summaries": "q_product_sales_summaries", "ownership": none}, "columns": {}, "options": {"days": {"month": [28, 31], "quarter": [80, 100], "half_year": [175, 190], "nine_month_ytd": [260, 285], "annual": [350, 380]}, "rounding": 1}} | tojson -}}
{%- endmacro -%}
