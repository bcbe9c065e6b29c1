{#- Series beside the observations they hold. -#}
{%- macro epidemiology_series_violations(gate) -%}
    union all
    select
        points.series_key,
        'block',
        'series_mixed',
        jsonb_build_object('signatures', count(distinct signature.text))
        || {{ tidegate.key_of_another(gate, ["points.series_key"]) }}
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
    select
        points.series_key,
        'block',
        'observation_missing',
        {{ tidegate.key_of_another(gate, ["points.series_key"]) }}
    from points
    where not exists (select 1 from judged where judged.observation_key = points.observation_key)
{%- endmacro -%}

{#- Summaries beside the observation they select. -#}
{%- macro epidemiology_summary_violations(gate) -%}
    union all
    select
        summaries.summary_key,
        found.level,
        found.reason,
        jsonb_build_object('value_state', judged.value_state, 'is_active', judged.is_active)
        || {{ tidegate.key_of_another(gate, ["summaries.summary_key"]) }}
    from summaries
    left join judged on judged.observation_key = summaries.selected_observation_key
    cross join lateral(select judged.observation_key is not null as present) as selected
    cross join
        lateral(
            values
                (not selected.present, 'block', 'observation_missing'),
                (selected.present and judged.is_active is not true, 'block', 'selection_inactive'),
                (
                    selected.present
                    and summaries.selected_basis is distinct from judged.observed_basis,
                    'block',
                    'basis_upgraded'
                ),
                (
                    judged.value_state in ('suppressed', 'unreliable'),
                    'block',
                    'selection_unreliable'
                ),
                (
                    selected.present
                    and (summaries.selected_value, summaries.selected_unit)
                    is distinct from (judged.value, judged.unit),
                    'block',
                    'selection_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- Forecast inputs beside the observation they call ready. -#}
{%- macro epidemiology_readiness_violations(gate) -%}
    union all
    select
        readiness.readiness_key,
        found.level,
        found.reason,
        jsonb_build_object('state', readiness.readiness_state)
        || {{ tidegate.key_of_another(gate, ["readiness.readiness_key"]) }}
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
