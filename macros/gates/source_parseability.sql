{#- What was delivered can be read: the last run of each file got past parsing, and few of its records
    are held because they are no records. It judges runs in the ledger, not rows. Options: `dataset`
    (none: the judged relation's name), `held_pct`, the share of the newest file's records above
    which held ones block, `remember_days`. -#}
{%- macro source_parseability(gate) -%}
    {{ tidegate.delivery_runs(gate) }},
    held as ({{ tidegate.held_records(gate) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.halted_runs(gate, ["parsing"], "source_unparseable") }}
    {{ tidegate.run_findings(
        gate,
        tidegate.held_findings(gate.options.held_pct),
        {"records_read": "checked.rows_read", "records_held": "held.records"},
        "inner join held on held.run_id = checked.run_id",
    ) }}
{%- endmacro -%}

{%- macro held_findings(held_pct) -%}
    {%- set many -%}
        checked.recency = 1
        and coalesce(held.records, 0) * 100.0 > checked.rows_read * {{ held_pct | float }}
    {%- endset -%}
    values
        ({{ many }}, 'block', 'records_unparseable'),
        (({{ many }}) is not true, 'warn', 'records_unparseable')
{%- endmacro -%}

{#- Records that are no records and that nobody has decided on, by run. -#}
{%- macro held_records(gate) -%}
    {%- if gate.ledger.quarantine_index %}
        select quarantine.run_id, count(*) as records
        from {{ gate.ledger.quarantine_index }} as quarantine
        where
            quarantine.dataset = {{ tidegate.literal(gate.options.dataset) }}
            and quarantine.category = 'structural'
            and quarantine.state = 'held'
        group by quarantine.run_id
    {%- else %} select null::bigint as run_id, null::bigint as records where false
    {%- endif %}
{%- endmacro -%}

{%- macro source_parseability_checked(gate) -%}
    {{ tidegate.source_reachability_checked(gate) }}
{%- endmacro -%}

{%- macro source_parseability_arguments() -%}
    {{-
        {"relations": {}, "options": {"dataset": none, "held_pct": 5, "remember_days": 30}}
        | tojson
    -}}
{%- endmacro -%}
