{#- Whether a relation has too few or too many rows; the only rule that says something about none. -#}
{%- macro row_count_counts(rule) -%}
    jsonb_build_object(
        'violated',
        count(*) < {{ tidegate.literal(rule.get("minimum", 0) | int) }}::bigint
        {%- if rule.get("maximum") is not none %}
            or count(*) > {{ tidegate.literal(rule.get("maximum") | int) }}::bigint
        {%- endif %}
    )
{%- endmacro -%}
