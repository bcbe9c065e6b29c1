{#- Epidemiology: statistic, unit, denominator and adjustment agree; a series has one signature; what is
    selected is an active observation with its value, unit and basis. Relations: `points` of series,
    `summaries`, `readiness` of forecast inputs. Options: `counts`, `rates`: units of each statistic;
    `rounding`: how far a printed rate may be from its counts. -#}
{%- macro epidemiology_observation_semantics(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "observation_key": "text", "segment_key": "text", "metric": "text", "statistic": "text", "unit": "text", "value": "numeric",
        "value_state": "text", "numerator": "numeric", "denominator_value": "numeric",
        "denominator_kind": "text", "adjustment_basis": "text", "standard_population": "text",
        "period_kind": "text", "period_start": "date", "period_end": "date", "geography_code": "text", "sex": "text",
        "observed_basis": "text", "interval_lower": "numeric", "interval_upper": "numeric",
        "is_active": "boolean", "supersedes_observation_key": "text", "restatement_no": "integer",
    }) }}
    {{ tidegate.epidemiology_relations(gate) }},
    observations as (
        select
            judged.*,
            count(*) filter (where judged.is_active) over (
                partition by
                    judged.segment_key,
                    judged.metric,
                    judged.statistic,
                    judged.unit,
                    judged.adjustment_basis,
                    judged.standard_population,
                    judged.period_kind,
                    judged.period_start,
                    judged.period_end,
                    judged.geography_code,
                    judged.sex,
                    judged.observed_basis
            ) as active_rows
        from judged
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {%- set metadata = tidegate.gate_metadata(gate, [
            "metric", "statistic", "unit", "value", "numerator", "denominator_value", "adjustment_basis",
            "standard_population", "period_kind", "observed_basis", "supersedes_observation_key",
        ]) -%}
    {{ tidegate.gate_findings(tidegate.epidemiology_observation_findings(gate), metadata, "observations") }}
    {{ tidegate.gate_findings(tidegate.epidemiology_period_findings(), metadata, "observations") }}
    {{ tidegate.epidemiology_series_violations() }}
    {{ tidegate.epidemiology_summary_violations() }}
    {{ tidegate.epidemiology_readiness_violations() }}
{%- endmacro -%}

{#- What stands beside the observations. -#}
{%- macro epidemiology_relations(gate) -%}
    {{ tidegate.gate_relation(gate, "points", {"series_key": "text", "observation_key": "text"}) }}
    {{ tidegate.gate_relation(gate, "summaries", {
        "summary_key": "text", "selected_observation_key": "text", "selected_value": "numeric",
        "selected_unit": "text", "selected_basis": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "readiness", {
        "readiness_key": "text", "readiness_state": "text", "source_q_model_name": "text", "source_q_row_key": "text",
    }) }}
{%- endmacro -%}

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
            and abs(judged.value - judged.numerator * 100000 / nullif(judged.denominator_value, 0))
            > {{ tidegate.literal(gate.options.rounding) }}::numeric,
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
        )
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
                    and before.is_active is not true
            ),
            'block',
            'restatement_chain_broken'
        )
{%- endmacro -%}

{#- Series beside the observations they hold. -#}
{%- macro epidemiology_series_violations() -%}
    union all
    select
        points.series_key,
        'block',
        'series_mixed',
        jsonb_build_object('signatures', count(distinct signature.text))
    from points
    inner join judged on judged.observation_key = points.observation_key
    cross join
        lateral(
            select
                concat_ws(
                    '|',
                    judged.metric,
                    judged.statistic,
                    judged.unit,
                    judged.adjustment_basis,
                    coalesce(judged.standard_population, '-'),
                    judged.period_kind,
                    judged.denominator_kind
                ) as text
        ) as signature
    group by points.series_key
    having count(distinct signature.text) > 1
    union all
    select points.series_key, 'block', 'observation_missing', '{}'::jsonb
    from points
    where not exists (select 1 from judged where judged.observation_key = points.observation_key)
{%- endmacro -%}

{#- Summaries beside the observation they select. -#}
{%- macro epidemiology_summary_violations() -%}
    union all
    select
        summaries.summary_key,
        found.level,
        found.reason,
        jsonb_build_object('value_state', judged.value_state, 'is_active', judged.is_active)
    from summaries
    left join judged on judged.observation_key = summaries.selected_observation_key
    cross join
        lateral(
            values
                (judged.observation_key is null, 'block', 'observation_missing'),
                (
                    judged.observation_key is not null and judged.is_active is not true,
                    'block',
                    'selection_inactive'
                ),
                (summaries.selected_basis <> judged.observed_basis, 'block', 'basis_upgraded'),
                (
                    judged.value_state in ('suppressed', 'unreliable'),
                    'block',
                    'selection_unreliable'
                ),
                (
                    summaries.selected_value <> judged.value
                    or summaries.selected_unit <> judged.unit,
                    'block',
                    'selection_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- Forecast inputs beside the observation they call ready. -#}
{%- macro epidemiology_readiness_violations() -%}
    union all
    select
        readiness.readiness_key,
        found.level,
        found.reason,
        jsonb_build_object('state', readiness.readiness_state)
    from readiness
    left join judged on judged.observation_key = readiness.source_q_row_key
    cross join
        lateral(
            values
                (
                    readiness.readiness_state = 'missing_input'
                    and readiness.source_q_row_key is not null,
                    'block',
                    'missing_input_filled'
                ),
                (
                    readiness.readiness_state = 'ready'
                    and (
                        readiness.source_q_row_key is null
                        or readiness.source_q_model_name like 'q_epidemiology%'
                        and judged.observation_key is null
                    ),
                    'block',
                    'ready_without_input'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro epidemiology_observation_semantics_arguments() -%}
    {{- {"relations": {"points": "q_epidemiology_series_points", "summaries": "q_epidemiology_summaries", "readiness": "q_forecast_input_readiness"}, "columns": {}, "options": {"counts": ["cases", "deaths", "persons"], "rates": ["per_100k_population", "per_100k_person_years"], "rounding": 0.06}} | tojson -}}
{%- endmacro -%}
