{#- What a model produced is used only where its attempt keeps the task's contract and an accepted
    decision under the policy in force stands behind it. The judged rows are the uses (projections).
    Options: the share of invalid attempts of a task in the last `window_days` above which
    `quarantine_warn` warns and `quarantine_block` blocks; `tasks`, whose share is judged here (all),
    and `tasks_elsewhere`, whose share another check judges. -#}
{%- macro llm_schema_contract(gate) -%}
    {%- set names = [
        "target_relation", "target_key", "attempt_id", "decision_id", "requests.task_id",
    ] -%}
    {{ tidegate.gate_rows(gate, {
        "target_relation": "text", "target_key": "text", "attempt_id": "text", "decision_id": "text",
    }) }}
    {{ tidegate.inference_relations(gate) }},
    outputs as ({{ tidegate.inference_outputs() }})
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, names) }}
        || jsonb_build_object('absent_fields', parsed.absent, 'fields_outside_enum', parsed.outside)
    from judged
    left join outputs as requests on requests.attempt_id = judged.attempt_id
    cross join lateral({{ tidegate.json_schema_differences("requests") }}) as parsed
    cross join
        lateral({{ tidegate.llm_schema_contract_findings() }}) as found(applies, level, reason)
    where found.applies
    union all
    {{ tidegate.quarantine_rates(gate) }}
{%- endmacro -%}

{#- What is wrong with one use. -#}
{%- macro llm_schema_contract_findings() -%}
    {%- set accepted -%}
        from decisions
        where
            decisions.decision_id = judged.decision_id
            and decisions.attempt_id = judged.attempt_id
            and decisions.decision = 'accepted'
    {%- endset -%}
    values
        (requests.attempt_id is null, 'block', 'attempt_missing'),
        (not requests.contracted, 'block', 'contract_revision_missing'),
        (
            requests.attempt_id is not null
            and (requests.schema_valid is not true or requests.parsed_output is null),
            'block',
            'output_invalid'
        ),
        (parsed.absent is not null, 'block', 'output_field_missing'),
        (parsed.outside is not null, 'block', 'output_outside_enum'),
        (not exists (select 1 {{ accepted }}), 'block', 'decision_missing'),
        (
            exists (
                select
                    1 {{ accepted }} and not {{ tidegate.policy_in_force("decisions.policy_hash") }}
            ),
            'block',
            'decision_outdated'
        )
{%- endmacro -%}

{#- Tasks whose attempts were invalid too often lately; nothing here names a row. -#}
{%- macro quarantine_rates(gate) -%}
    select
        {{ tidegate.literal(gate.subject) }}::text,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, ["requests.task_id"]) }} || jsonb_build_object(
            'attempts',
            requests.attempts,
            'invalid',
            requests.invalid,
            'warns_above',
            {{ gate.options.quarantine_warn | float }},
            'blocks_above',
            {{ gate.options.quarantine_block | float }}
        )
    from
        (
            select
                outputs.task_id,
                count(*) as attempts,
                count(*) filter (where outputs.schema_valid is not true) as invalid
            from outputs
            where
                outputs.completed_at
                > now() - make_interval(days => {{ gate.options.window_days | int }})
                {%- if gate.options.tasks %}
                    and outputs.task_id = any({{ tidegate.text_array(gate.options.tasks) }})
                {%- endif %}
                {%- if gate.options.tasks_elsewhere %}
                    and outputs.task_id
                    <> all({{ tidegate.text_array(gate.options.tasks_elsewhere) }})
                {%- endif %}
            group by outputs.task_id
        ) as requests
    cross join
        lateral(
            values
                (
                    requests.invalid
                    > requests.attempts * {{ gate.options.quarantine_block | float }},
                    'block',
                    'quarantine_rate_exceeded'
                ),
                (
                    requests.invalid
                    > requests.attempts * {{ gate.options.quarantine_warn | float }}
                    and requests.invalid
                    <= requests.attempts * {{ gate.options.quarantine_block | float }},
                    'warn',
                    'quarantine_rate_elevated'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro llm_schema_contract_arguments() -%}
    {{-
        {
            "relations": {
                "attempts": "inference_attempts",
                "requests": "inference_requests",
                "contracts": "inference_task_contracts",
                "decisions": "inference_decisions",
                "policies": "inference_acceptance_policies",
            },
            "options": {
                "quarantine_warn": 0.05,
                "quarantine_block": 0.2,
                "window_days": 30,
                "tasks": [],
                "tasks_elsewhere": [],
            },
        }
        | tojson
    -}}
{%- endmacro -%}
