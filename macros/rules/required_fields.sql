{#- Whether the detected schema lacks a field; nothing is read but the schema. -#}
{%- macro required_fields_counts(rule, detected) -%}
    {%- set absent = rule.fields | reject("in", detected) | list -%}
    jsonb_build_object(
        'violated',
        {{ "true" if absent else "false" }},
        'reason',
        {{ tidegate.literal("field_absent" if absent else none) }}::text
    )
{%- endmacro -%}
