{#- A route that is active, or that attempts are still under way on, pins the revisions of its task
    contract and its profile, and both are kept. No options. -#}
{%- macro llm_prompt_version_pinned(gate) -%}
    {%- set pinned = ["route_revision", "contract_revision", "profile_revision"] -%}
    {{ tidegate.gate_rows(gate, {
        "route_id": "text", "route_revision": "text", "task_id": "text", "contract_revision": "text",
        "profile_id": "text", "profile_revision": "text", "is_active": "boolean", "owner": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "contracts", {"task_id": "text", "contract_revision": "text"}) }}
    {{ tidegate.gate_relation(gate, "profiles", {"profile_id": "text", "profile_revision": "text"}) }}
    {{ tidegate.gate_relation(gate, "attempts", {
        "route_id": "text", "route_revision": "text", "completed_at": "timestamptz",
    }) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, ["task_id", "profile_id", "owner"] + pinned) }}
        || jsonb_build_object('missing', lacking.names, 'in_flight', state.in_flight)
    from judged
    cross join lateral(select {{ tidegate.blank_names("judged", pinned) }} as names) as lacking
    cross join
        lateral(
            select
                exists (
                    select 1
                    from attempts
                    where
                        attempts.route_id = judged.route_id
                        and attempts.route_revision is not distinct from judged.route_revision
                        and attempts.completed_at is null
                ) as in_flight
        ) as state
    cross join
        lateral({{ tidegate.llm_prompt_version_pinned_findings() }}) as found(
            applies, level, reason
        )
    where found.applies and (judged.is_active is not false or state.in_flight)
{%- endmacro -%}

{#- What is wrong with one route; what it pins and what nobody kept is two findings. -#}
{%- macro llm_prompt_version_pinned_findings() -%}
    values
        (cardinality(lacking.names) > 0, 'block', 'revision_floating'),
        {%- for kept, id, revision, reason in [
            ("contracts", "task_id", "contract_revision", "contract_not_retained"),
            ("profiles", "profile_id", "profile_revision", "profile_not_retained"),
        ] %}
            (
                judged.{{ revision }} is not null
                and not exists (
                    select 1
                    from {{ kept }}
                    where
                        {{ kept }}.{{ id }} = judged.{{ id }}
                        and {{ kept }}.{{ revision }} = judged.{{ revision }}
                ),
                'block',
                {{ tidegate.literal(reason) }}
            ),
        {%- endfor %}
        (coalesce(btrim(judged.owner), '') = '', 'warn', 'task_owner_missing')
{%- endmacro -%}

{%- macro llm_prompt_version_pinned_arguments() -%}
    {{-
        {
            "relations": {
                "contracts": "inference_task_contracts",
                "profiles": "inference_profiles",
                "attempts": "inference_attempts",
            },
            "options": {},
        }
        | tojson
    -}}
{%- endmacro -%}
