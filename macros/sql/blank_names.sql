{#- The names of those columns that are null or blank text in a row, as text[] in their order. -#}
{%- macro blank_names(alias, names) -%}
    array_remove(
        array[
            {%- for name in names %}
                case
                    when coalesce(btrim({{ alias }}.{{ name }}::text), '') = ''
                    then {{ tidegate.literal(name) }}
                end
                {{- "," if not loop.last }}
            {%- endfor %}
        ]::text[],
        null
    )
{%- endmacro -%}
