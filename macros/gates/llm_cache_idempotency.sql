{#- One request key is one question for ever, one attempt id one call; an output is used again only
    where it is accepted under the policy in force. Attempts of one request may disagree. The judged
    rows are requests. Options: `churn`, the number of rejected attempts at which a request warns;
    `targets_elsewhere`, relations whose uses another check judges. -#}
{%- macro llm_cache_idempotency(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "request_key": "text", "task_id": "text", "contract_revision": "text",
        "input_sha256": "text",
    }) }}
    {{ tidegate.inference_relations(gate) }},
    questions as (
        select
            judged.request_key,
            min(judged.row_key) as row_key,
            count(
                distinct row(judged.task_id, judged.contract_revision, judged.input_sha256)
            ) as contents
        from judged
        group by judged.request_key
    ),
    calls as (
        select
            min(attempts.request_key) as request_key,
            count(
                distinct row(attempts.request_key, attempts.profile_id, attempts.profile_revision)
            ) as contents
        from attempts
        group by attempts.attempt_id
    ),
    rejections as (
        select attempts.request_key, count(distinct attempts.attempt_id) as rejected
        from attempts
        inner join decisions on decisions.attempt_id = attempts.attempt_id
        where decisions.decision = 'rejected'
        group by attempts.request_key
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    {{ tidegate.cache_violations(gate) }}
{%- endmacro -%}

{#- Identities that mean two things, requests that are asked in vain, outputs used again without leave;
    each under the key of its request. -#}
{%- macro cache_violations(gate) -%}
    {%- set parts = {
        "questions": "(questions.contents > 1, 'block', 'request_collision')",
        "calls": "(calls.contents > 1, 'block', 'attempt_collision')",
        "rejections": "(rejections.rejected >= " ~ gate.options.churn | int ~ ", 'warn', 'rejected_churn')",
    } -%}
    {%- for part, finding in parts.items() %}
        select
            coalesce(questions.row_key, {{ part }}.request_key) as row_key,
            found.level,
            found.reason,
            jsonb_build_object(
                'count', {{ part }}.{{ "rejected" if part == "rejections" else "contents" }}
            ) as metadata
        from {{ part }}
        {%- if part != "questions" %}
            left join questions on questions.request_key = {{ part }}.request_key
        {%- endif %}
        cross join lateral(values {{ finding }}) as found(applies, level, reason)
        where found.applies
        union all
    {%- endfor %}
    {{ tidegate.reuse_violations(gate) }}
{%- endmacro -%}

{#- Outputs that are used again without leave. -#}
{%- macro reuse_violations(gate) -%}
    {%- set accepted -%}
        from decisions
        where decisions.attempt_id = projections.attempt_id and decisions.decision = 'accepted'
    {%- endset -%}
    select
        coalesce(questions.row_key, projections.request_key),
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, ["projections.attempt_id", "projections.decision_id"]) }}
    from projections
    left join questions on questions.request_key = projections.request_key
    cross join
        lateral(
            values
                (
                    not exists (
                        select 1
                        from attempts
                        where
                            attempts.attempt_id = projections.attempt_id
                            and attempts.request_key = projections.request_key
                    ),
                    'block',
                    'reuse_of_another_request'
                ),
                (not exists (select 1 {{ accepted }}), 'block', 'reuse_unaccepted'),
                (
                    exists (select 1 {{ accepted }})
                    and not exists (
                        select
                            1 {{ accepted }}
                            and {{ tidegate.policy_in_force("decisions.policy_hash") }}
                    ),
                    'block',
                    'reuse_outdated'
                )
        ) as found(applies, level, reason)
    where
        found.applies
        {%- if gate.options.targets_elsewhere %}
            and projections.target_relation
            <> all({{ tidegate.text_array(gate.options.targets_elsewhere) }})
        {%- endif %}
{%- endmacro -%}

{%- macro llm_cache_idempotency_arguments() -%}
    {{-
        {
            "relations": {
                "attempts": "inference_attempts",
                "decisions": "inference_decisions",
                "policies": "inference_acceptance_policies",
                "projections": "inference_projections",
            },
            "options": {"churn": 3, "targets_elsewhere": []},
        }
        | tojson
    -}}
{%- endmacro -%}
