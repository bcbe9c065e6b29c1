{#- A mapping of names to lists of names as rows of two texts; no row where it is empty. -#}
{%- macro pairs(mapping) -%}
    select pair.one, pair.other
    from
        (
            values
                (null::text, null::text)
                {%- for one, others in mapping.items() %}
                    {%- for other in others %}
                        , ({{ tidegate.literal(one) }}, {{ tidegate.literal(other) }})
                    {%- endfor %}
                {%- endfor %}
        ) as pair(one, other)
    where pair.one is not null
{%- endmacro -%}
