{#- Observations with how many of their grain are active, and how many strata by sex stand beside them. -#}
{%- macro epidemiology_grains() -%}
    {%- set everyone = [
        "segment_key", "metric", "statistic", "unit", "adjustment_basis", "standard_population",
        "period_kind", "period_start", "period_end", "geography_code", "observed_basis",
    ] -%}
    select
        judged.*,
        count(*) filter (where judged.is_active) over (
            partition by judged.{{ everyone | join(", judged.") }}, judged.sex
        ) as active_rows,
        count(*) filter (where judged.is_active and judged.sex <> 'all') over (
            partition by judged.{{ everyone | join(", judged.") }}
        ) as strata
    from judged
{%- endmacro -%}

{#- What may be wrong with an observation: its unit, its standard, its value, its period, its versions. -#}
{%- macro epidemiology_observation_findings(gate) -%}
    {%- set counts = tidegate.text_array(gate.options.counts) -%}
    {%- set rates = tidegate.text_array(gate.options.rates) -%}
    values
        (
            judged.statistic = 'count'
            and (judged.unit = any({{ counts }})) is not true
            or judged.statistic = 'rate'
            and (
                (judged.unit = any({{ rates }})) is not true
                or coalesce(judged.denominator_kind, 'none') = 'none'
            ),
            'block',
            'unit_of_another_statistic'
        ),
        (
            (coalesce(judged.adjustment_basis, '') = 'age_standardised')
            <> (judged.standard_population is not null),
            'block',
            'standard_population_differs'
        ),
        (
            judged.statistic = 'rate'
            and judged.adjustment_basis = 'crude'
            and abs(judged.value * judged.denominator_value - judged.numerator * 100000)
            > {{ tidegate.literal(gate.options.rounding) }}::numeric * judged.denominator_value,
            'block',
            'rate_contradicts_counts'
        ),
        (
            judged.value is not null and judged.value_state is distinct from 'reported',
            'block',
            'value_without_statement'
        ),
        (
            judged.adjustment_basis = 'age_standardised'
            and num_nulls(judged.interval_lower, judged.interval_upper) > 0,
            'warn',
            'uncertainty_absent'
        ),
        (judged.is_active and judged.sex = 'all' and judged.strata = 0, 'warn', 'strata_absent')
{%- endmacro -%}

{%- macro epidemiology_period_findings() -%}
    values
        (
            judged.period_end < judged.period_start
            or judged.period_kind = 'calendar_year'
            and (judged.period_start, judged.period_end) is distinct from (
                date_trunc('year', judged.period_start)::date,
                (date_trunc('year', judged.period_start) + interval '1 year - 1 day')::date
            )
            or judged.period_kind like 'multi_year%'
            and extract(year from judged.period_start) = extract(year from judged.period_end),
            'block',
            'period_of_another_kind'
        ),
        (judged.is_active and judged.active_rows > 1, 'block', 'restatement_both_active'),
        (
            judged.restatement_no > 0
            and not exists (
                select 1
                from judged as before
                where
                    before.observation_key = judged.supersedes_observation_key
                    and before.restatement_no = judged.restatement_no - 1
                    and not before.is_active
            ),
            'block',
            'restatement_chain_broken'
        )
{%- endmacro -%}
