{#- The newest delivery has about as many rows as the one before it. It judges what the ledger counted
    when it accepted them. Options: `dataset` (none: the judged relation's name), `bound_pct`, the
    change that blocks, `warn_pct`, the change that warns. Somebody who assessed the volume of the
    delivery as expected has the last word. -#}
{%- macro source_count_delta(gate) -%}
    {{ tidegate.newest_count(gate) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.run_findings(
        gate,
        tidegate.source_count_delta_findings(gate.options.bound_pct, gate.options.warn_pct),
        {
            "rows": "checked.rows",
            "rows_before": "checked.rows_before",
            "bound_pct": gate.options.bound_pct | float,
        },
    ) }}
{%- endmacro -%}

{%- macro source_count_delta_findings(bound_pct, warn_pct) -%}
    {%- set delta -%}
        abs(checked.rows - checked.rows_before) * 100.0 / nullif(checked.rows_before, 0)
    {%- endset -%}
    values
        (
            {{ delta }} > {{ bound_pct | float }} and not checked.expected,
            'block',
            'count_delta_out_of_bounds'
        ),
        (
            {{ delta }} > {{ warn_pct | float }}
            and {{ delta }} <= {{ bound_pct | float }}
            and not checked.expected,
            'warn',
            'count_delta_high'
        ),
        (checked.anomalous, 'warn', 'volume_anomalous')
{%- endmacro -%}

{#- The newest accepted delivery of the dataset as `checked`, with the number of rows before it and
    what was found out about its volume. -#}
{%- macro newest_count(gate) -%}
    with
        checked as (
            {%- if gate.ledger.materializations and gate.ledger.anomaly_index %}
                select
                    counted.*,
                    coalesce(volume.expected, false) as expected,
                    coalesce(volume.anomalous, false) as anomalous
                from
                    (
                        select
                            accepted.run_id,
                            accepted.delivery_id,
                            accepted.rows,
                            lag(accepted.rows) over in_order as rows_before,
                            row_number() over (order by accepted.materialization_id desc) as recency
                        from {{ gate.ledger.materializations }} as accepted
                        where
                            accepted.dataset = {{ tidegate.literal(gate.options.dataset) }}
                            and accepted.origin = 'delivery'
                        window in_order as (order by accepted.materialization_id)
                    ) as counted
                left join
                    lateral(
                        select
                            bool_or(found.assessment = 'expected') as expected,
                            bool_or(found.is_open) as anomalous
                        from {{ gate.ledger.anomaly_index }} as found
                        where found.run_id = counted.run_id and found.detector = 'volume'
                    ) as volume
                    on true
                where counted.recency = 1
            {%- else %}
                select
                    null::bigint as run_id,
                    null::bigint as delivery_id,
                    null::bigint as rows,
                    null::bigint as rows_before,
                    false as expected,
                    false as anomalous
                where false
            {%- endif %}
        )
{%- endmacro -%}

{%- macro source_count_delta_checked(gate) -%}
    {{ tidegate.newest_count(gate) }} select count(*) from checked
{%- endmacro -%}

{%- macro source_count_delta_arguments() -%}
    {{-
        {"relations": {}, "options": {"dataset": none, "bound_pct": 50, "warn_pct": 20}}
        | tojson
    -}}
{%- endmacro -%}
