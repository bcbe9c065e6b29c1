{#- Keys that are in no row of a frozen relation: an anti join, so that a null over there hides
    nothing (MATCH SIMPLE: a key with a null part is a null). One statement, one JSON object. -#}
{%- macro reference_scan(relation, rule, target, place, cap) -%}
    {%- set fields = rule.get("fields") or [rule.field] -%}
    with
        missing as (
            select {{ place }} as place
            from {{ relation }} as part
            where
                {{ tidegate.rule_nulls(fields, "and", "is not null") }}
                and not exists (
                    select
                    from {{ target }} as target
                    where
                        {% for field in fields -%}
                            target.{{ tidegate.identifier(rule.references.fields[loop.index0]) }}
                            = part.{{ tidegate.identifier(field) }}
                            {%- if not loop.last %} and {% endif -%}
                        {%- endfor %}
                )
        ),
        nulls as (
            select {{ place }} as place
            from {{ relation }} as part
            where {{ tidegate.rule_nulls(fields) }}
        ),
        violations as (
            select place
            from missing
            {%- if not rule.get("allow_null") %}
                union all
                select place
                from nulls
            {%- endif %}
        )
    select
        jsonb_build_object(
            'violating_rows',
            (select count(*) from violations),
            'null_rows',
            {% if rule.get("allow_null") -%} 0
            {%- else -%} (select count(*) from nulls)
            {%- endif %},
            'places',
            to_jsonb(array(select place from violations order by place limit {{ cap }})),
            'empty_target',
            not exists (select from {{ target }} as target)
        ) as r0
{%- endmacro -%}
