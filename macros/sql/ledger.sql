{#- The last run of each file of a dataset as `checked`, numbered from the newest. A run that is not over
    says nothing yet. Without a ledger there is no row, which is no pass. -#}
{%- macro delivery_runs(gate) -%}
    with
        checked as (
            {%- if gate.ledger.runs %}
                select
                    last_of_file.*, row_number() over (order by last_of_file.run_id desc) as recency
                from
                    (
                        select distinct
                            on (runs.source_name)
                            runs.run_id,
                            runs.delivery_id,
                            runs.status,
                            runs.halted_in,
                            runs.reason,
                            runs.rows_read,
                            runs.started_at
                        from {{ gate.ledger.runs }} as runs
                        where
                            runs.dataset = {{ tidegate.literal(gate.options.dataset) }}
                            and runs.origin = 'delivery'
                            and (runs.finished_at is not null or runs.status = 'parked')
                        order by runs.source_name, runs.run_id desc
                    ) as last_of_file
            {%- else %}
                select
                    null::bigint as run_id,
                    null::bigint as delivery_id,
                    null::text as status,
                    null::text as halted_in,
                    null::text as reason,
                    null::bigint as rows_read,
                    null::timestamptz as started_at,
                    null::bigint as recency
                where false
            {%- endif %}
        )
{%- endmacro -%}

{#- Findings about runs of `checked`, under the number of the run; `facts`: what the gate says of one
    beside dataset and delivery, name and SQL. `joined` is what has to stand beside `checked`. -#}
{%- macro run_findings(gate, findings, facts, joined="") -%}
    union all
    select
        checked.run_id::text,
        found.level,
        found.reason,
        jsonb_build_object(
            'dataset',
            {{ tidegate.literal(gate.options.dataset) }}::text,
            'delivery_id',
            checked.delivery_id
            {%- for name, fact in facts.items() %}
                , {{ tidegate.literal(name) }}::text, {{ fact }}
            {%- endfor %}
        )
    from checked {{ joined }}
    cross join lateral({{ findings }}) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- Runs that ended in one of these stages: the newest of the dataset blocks, an older one that no
    later run of the same file made good warns for `remember_days`. -#}
{%- macro halted_runs(gate, stages, reason) -%}
    {{ tidegate.run_findings(
        gate,
        tidegate.halted_findings(gate, stages, reason),
        {"halted_in": "checked.halted_in", "run_reason": "checked.reason"},
    ) }}
{%- endmacro -%}

{%- macro halted_findings(gate, stages, reason) -%}
    {%- set halted = "checked.halted_in = any(" ~ tidegate.text_array(stages) ~ ")" -%}
    values
        ({{ halted }} and checked.recency = 1, 'block', {{ tidegate.literal(reason) }}),
        (
            {{ halted }}
            and checked.recency > 1
            and checked.started_at
            > now() - make_interval(days => {{ gate.options.remember_days | int }}),
            'warn',
            {{ tidegate.literal(reason) }}
        )
{%- endmacro -%}
