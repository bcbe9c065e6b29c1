{#- The records of inference that gates compare with, as common tables by role. -#}
{%- macro inference_relations(gate) -%}
    {%- set known = {
        "requests": {
            "request_key": "text", "task_id": "text", "contract_revision": "text",
        },
        "attempts": {
            "attempt_id": "text", "request_key": "text", "profile_id": "text",
            "profile_revision": "text", "schema_valid": "boolean", "parsed_output": "jsonb",
            "completed_at": "timestamptz",
        },
        "contracts": {
            "task_id": "text", "contract_revision": "text", "output_json_schema": "jsonb",
        },
        "decisions": {
            "decision_id": "text", "attempt_id": "text", "policy_hash": "text", "decision": "text",
        },
        "policies": {
            "policy_hash": "text", "active_from": "timestamptz", "active_to": "timestamptz",
        },
        "projections": {"request_key": "text", "attempt_id": "text", "decision_id": "text"},
    } -%}
    {%- if gate.options.get("targets_elsewhere") -%}
        {%- set _ = known.projections.update({"target_relation": "text"}) -%}
    {%- endif -%}
    {%- for role, types in known.items() if role in gate.relations %}
        {{ tidegate.gate_relation(gate, role, types) }}
    {%- endfor %}
{%- endmacro -%}

{#- Every attempt with the task and the contract it was made for. -#}
{%- macro inference_outputs() -%}
    select
        attempts.attempt_id,
        attempts.schema_valid,
        attempts.parsed_output,
        attempts.completed_at,
        requests.task_id,
        contracts.output_json_schema,
        contracts.task_id is not null as contracted
    from attempts
    left join requests on requests.request_key = attempts.request_key
    left join contracts on {{ tidegate.is_pinned("contracts") }}
{%- endmacro -%}

{#- Whether a record is the one that a request or an attempt names with its revision: of `contracts` what
    `requests` names, of `routes` and `profiles` what `attempts` names. -#}
{%- macro is_pinned(record) -%}
    {%- set by, id, revision = {
        "contracts": ("requests", "task_id", "contract_revision"),
        "routes": ("attempts", "route_id", "route_revision"),
        "profiles": ("attempts", "profile_id", "profile_revision"),
    }[record] -%}
    {{ record }}.{{ id }} = {{ by }}.{{ id }}
    and {{ record }}.{{ revision }} = {{ by }}.{{ revision }}
{%- endmacro -%}

{#- Whether an acceptance policy is in force now, by its hash. -#}
{%- macro policy_in_force(hash) -%}
    exists (
        select 1
        from policies
        where
            policies.policy_hash = {{ hash }}
            and policies.active_from <= now()
            and (policies.active_to is null or policies.active_to > now())
    )
{%- endmacro -%}

{#- Where a JSON output differs from its schema, at any depth: paths of required fields that are
    absent and of values outside an enum; null where there are none. Paths are names of the schema
    and positions, never values. -#}
{%- macro json_schema_differences(alias) -%}
    with recursive
        nodes(path, rules, value) as (
            select ''::text, {{ alias }}.output_json_schema, {{ alias }}.parsed_output
            union all
            select child.path, child.rules, child.value
            from nodes
            cross join
                lateral(
                    select
                        nodes.path || '/' || property.key as path,
                        property.value as rules,
                        nodes.value -> property.key as value
                    from
                        jsonb_each(
                            case
                                when jsonb_typeof(nodes.rules -> 'properties') = 'object'
                                then nodes.rules -> 'properties'
                                else '{}'::jsonb
                            end
                        ) as property
                    where jsonb_typeof(nodes.value) = 'object' and nodes.value ? property.key
                    union all
                    select
                        nodes.path || '/' || (item.position - 1), nodes.rules -> 'items', item.value
                    from
                        jsonb_array_elements(
                            case
                                when jsonb_typeof(nodes.value) = 'array'
                                then nodes.value
                                else '[]'::jsonb
                            end
                        )
                    with ordinality as item(value, position)
                ) as child
        )
    select
        (
            select array_agg(nodes.path || '/' || needed.name order by nodes.path, needed.name)
            from nodes
            cross join
                lateral jsonb_array_elements_text(
                    case
                        when jsonb_typeof(nodes.rules -> 'required') = 'array'
                        then nodes.rules -> 'required'
                        else '[]'::jsonb
                    end
                ) as needed(name)
            where not (jsonb_typeof(nodes.value) = 'object' and nodes.value ? needed.name)
        ) as absent,
        (
            select array_agg(nodes.path order by nodes.path)
            from nodes
            where not nodes.rules -> 'enum' @> jsonb_build_array(nodes.value)
        ) as outside
{%- endmacro -%}
