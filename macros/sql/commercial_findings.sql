{#- What may be wrong with a fact: its period, its restatement, its place, its owner. -#}
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
                    and not before.is_active
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
        ),
        (
            judged.is_active
            and judged.evidence_kind in ('reported_actual', 'reported_prose')
            and judged.period_kind <> 'custom'
            and judged.year_before = 0,
            'warn',
            'prior_period_absent'
        )
{%- endmacro -%}

{%- macro commercial_value_findings(gate) -%}
    (
        judged.evidence_kind in ('reported_actual', 'reported_prose')
        and judged.printed::numeric is distinct from judged.reported_value
        {%- if gate.columns.get("reported_text", "") is none %} and false {%- endif %},
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
