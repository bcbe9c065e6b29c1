{#- A source value where it belongs to the closed enum of a column; null where it does not. -#}
{%- macro mapped(value, model_name, column_name) -%}
    case
        when {{ value }} = any({{ tidegate.closed_array(model_name, column_name) }})
        then {{ value }}
    end
{%- endmacro -%}

{#- The values of a source array that belong to the closed enum of a column, in order. -#}
{%- macro mapped_array(value, model_name, column_name) -%}
    array(
        select element.item
        from unnest({{ value }})
        with ordinality as element(item, position)
        where element.item = any({{ tidegate.closed_array(model_name, column_name) }})
        order by element.position
    )
{%- endmacro -%}

{#- The closed enum of a column as a text array. -#}
{%- macro closed_array(model_name, column_name) -%}
    {%- set quoted = [] -%}
    {%- for item in tidegate.closed_values(model_name, column_name) -%}
        {%- do quoted.append(tidegate.literal(item)) -%}
    {%- endfor -%}
    array[{{ quoted | join(", ") }}]::text[]
{%- endmacro -%}
