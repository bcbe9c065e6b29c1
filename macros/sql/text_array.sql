{#- A list of names or texts as SQL: text[], also where it is empty. -#}
{%- macro text_array(values) -%}
    array[
        {%- for value in values %}
            {{ tidegate.literal(value) }}{{ ", " if not loop.last }}
        {% endfor -%}
    ]::text[]
{%- endmacro -%}
