{#- A mapping of names to lists of names as rows of two texts. The first row is of nulls, which no name
    equals: an empty mapping is a list too. -#}
{%- macro pairs(mapping) -%}
    values
        (null::text, null::text)
        {%- for one, others in mapping.items() %}
            {%- for other in others %}
                , ({{ tidegate.literal(one) }}, {{ tidegate.literal(other) }})
            {%- endfor %}
        {%- endfor %}
{%- endmacro -%}
