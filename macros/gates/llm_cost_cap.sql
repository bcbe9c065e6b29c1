{#- What a task's completed attempts cost in the last days stays below its reviewed cap: an observation
    of what was spent, not a reservation. The judged rows are attempts. Options: `task`, `cap_usd`,
    `window_days`, `warn_ratio` (the share of the cap at which it warns). -#}
{%- macro llm_cost_cap(gate) -%}
    {%- set task = tidegate.literal(gate.options.task) -%}
    {{ tidegate.gate_rows(gate, {
        "request_key": "text", "cost_usd": "numeric", "completed_at": "timestamptz",
    }) }}
    {{ tidegate.gate_relation(gate, "requests", {"request_key": "text", "task_id": "text"}) }},
    cap as (
        select
            {{ tidegate.literal(gate.options.cap_usd) }}::numeric as usd,
            {{ tidegate.literal(gate.options.warn_ratio) }}::numeric as warn_ratio
    ),
    totals as (
        select
            count(*) as attempts,
            coalesce(sum(judged.cost_usd), 0) as spent,
            count(*) filter (where judged.cost_usd is null) as unpriced
        from judged
        where
            judged.completed_at
            > now() - make_interval(days => {{ gate.options.window_days | int }})
            and exists (
                select 1
                from requests
                where requests.request_key = judged.request_key and requests.task_id = {{ task }}
            )
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        {{ tidegate.literal(gate.subject) }}::text,
        found.level,
        found.reason,
        {{ tidegate.llm_cost_cap_metadata(gate) }}
    from totals
    cross join cap
    cross join lateral({{ tidegate.llm_cost_cap_findings(task) }}) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro llm_cost_cap_findings(task) -%}
    values
        ({{ task }}::text is null or cap.usd is null, 'block', 'cap_undeclared'),
        (totals.spent > cap.usd, 'block', 'cost_over_cap'),
        (
            totals.spent >= cap.usd * cap.warn_ratio and totals.spent <= cap.usd,
            'warn',
            'cost_near_cap'
        ),
        (totals.unpriced > 0, 'block', 'cost_unknown')
{%- endmacro -%}

{%- macro llm_cost_cap_metadata(gate) -%}
    jsonb_build_object(
        'task',
        {{ tidegate.literal(gate.options.task) }}::text,
        'cap_usd',
        cap.usd,
        'window_days',
        {{ gate.options.window_days | int }},
        'attempts',
        totals.attempts,
        'unpriced',
        totals.unpriced,
        'values',
        {%- if "cost_usd" in gate.public %} jsonb_build_object('spent_usd', totals.spent),
        {%- else %} '{}'::jsonb,
        {%- endif %}
        'withheld',
        {{ tidegate.text_array(["spent_usd"] if "cost_usd" not in gate.public else []) }}
    )
{%- endmacro -%}

{%- macro llm_cost_cap_arguments() -%}
    {{-
        {
            "relations": {"requests": "inference_requests"},
            "options": {"task": none, "cap_usd": none, "window_days": 30, "warn_ratio": 0.8},
        }
        | tojson
    -}}
{%- endmacro -%}
