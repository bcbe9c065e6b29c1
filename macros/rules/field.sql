{#- Whether a field has another type than expected, and how many rows hold a null that they may not. -#}
{%- macro field_counts(rule, types, detected) -%}
    {%- set found = detected.get(rule.field) -%}
    {%- set expected = rule.get("data_type") -%}
    {%- if not found -%} {%- set reason = "field_absent" -%}
    {%- elif expected and expected not in (found.logical, found.sql_type) -%}
        {%- set reason = "type_differs" -%}
    {%- else -%} {%- set reason = none -%}
    {%- endif -%}
    jsonb_build_object(
        'violated',
        {{ "true" if reason else "false" }},
        'reason',
        {{ tidegate.literal(reason) }}::text
        {%- if rule.get("nullable") is sameas false and rule.field in types %}
            ,
            'violating_rows',
            {% if types[rule.field].not_null -%} 0
            {%- else -%} count(*) filter (where {{ tidegate.field_violation(rule) }})
            {%- endif %}
        {%- endif %}
    )
{%- endmacro -%}

{%- macro field_violation(rule) -%} {{ tidegate.identifier(rule.field) }} is null {%- endmacro -%}
