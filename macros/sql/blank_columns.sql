{#- The names of those columns of a relation that are null or blank text in a row, as text[]. -#}
{%- macro blank_columns(alias, columns) -%}
    array_remove(
        array[
            {%- for column in columns %}
                case
                    when
                        coalesce(btrim({{ alias }}.{{ tidegate.identifier(column) }}::text), '')
                        = ''
                    then {{ tidegate.literal(column) }}
                end
                {{- "," if not loop.last }}
            {%- endfor %}
        ]::text[],
        null
    )
{%- endmacro -%}
