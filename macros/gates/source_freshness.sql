{#- The newest row of a source is not older than its bound. Options: `warn_after` and `error_after`
    (`count` and `period`: minute, hour, day), in dbt by default the dataset's own `freshness`;
    `loaded_at`, the column that the age is measured on; `dataset`. Where that is `_received_at`, a
    later delivery of bytes that were there already is a sign of life as well. -#}
{%- macro source_freshness(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }},
    newest as (
        select
            greatest(
                max(checked.{{ tidegate.identifier(gate.options.loaded_at) }}::timestamptz),
                {{ tidegate.last_repeat(gate) }}
            ) as loaded_at
        from checked
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(
        gate, gate.options.warn_after or gate.options.error_after, "freshness_undeclared"
    ) }}
    union all
    select
        {{ tidegate.literal(gate.subject) }}::text,
        found.level,
        found.reason,
        jsonb_build_object(
            'loaded_at',
            newest.loaded_at,
            'warn_after',
            {{ tidegate.age_bound(gate.options.warn_after) }},
            'error_after',
            {{ tidegate.age_bound(gate.options.error_after) }}
        )
    from newest
    cross join
        lateral(
            values
                (
                    now() - newest.loaded_at > {{ tidegate.age_bound(gate.options.error_after) }},
                    'block',
                    'source_stale'
                ),
                (
                    now() - newest.loaded_at > {{ tidegate.age_bound(gate.options.warn_after) }}
                    and (
                        now() - newest.loaded_at
                        > {{ tidegate.age_bound(gate.options.error_after) }}
                    )
                    is not true,
                    'warn',
                    'source_ageing'
                ),
                (
                    newest.loaded_at is null and exists (select 1 from checked),
                    'block',
                    'loaded_at_missing'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- When the dataset last sent what had been accepted before. -#}
{%- macro last_repeat(gate) -%}
    {%- if gate.ledger.runs and gate.options.loaded_at == "_received_at" %}
        (
            select max(runs.started_at)
            from {{ gate.ledger.runs }} as runs
            where
                runs.dataset = {{ tidegate.literal(gate.options.dataset) }}
                and runs.status = 'duplicate'
        )
    {%- else %} null::timestamptz
    {%- endif %}
{%- endmacro -%}

{#- An age as an interval; null where there is no bound. -#}
{%- macro age_bound(bound) -%}
    {%- if bound and bound.count -%}
        make_interval(
            {{- {"minute": "mins", "hour": "hours", "day": "days"}[bound.period] }}
            => {{ bound.count | int }}
        )
    {%- else -%} null::interval
    {%- endif -%}
{%- endmacro -%}

{%- macro source_freshness_checked(gate) -%}
    {{ tidegate.row_count(gate.relation, gate.where) }}
{%- endmacro -%}

{%- macro source_freshness_arguments() -%}
    {{-
        {
            "relations": {},
            "options": {
                "dataset": none,
                "loaded_at": "_received_at",
                "warn_after": none,
                "error_after": none,
            },
        }
        | tojson
    -}}
{%- endmacro -%}
