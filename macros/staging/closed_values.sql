{#- The closed enum of a column, read from its contract: the one list that models and gates share. -#}
{%- macro closed_values(model_name, column_name) -%}
    {%- set values = [] -%}
    {%- if execute -%}
        {%- set node = graph.nodes.values() | selectattr("name", "equalto", model_name) | first -%}
        {%- set column = node.columns[column_name] -%}
        {%- set values = column.config.meta.tidegate.enum -%}
        {%- if not values -%}
            {{- exceptions.raise_compiler_error(model_name ~ "." ~ column_name ~ " has no closed enum in its contract; give it config.meta.tidegate.enum.") -}}
        {%- endif -%}
    {%- endif -%}
    {{- return(values) -}}
{%- endmacro -%}
