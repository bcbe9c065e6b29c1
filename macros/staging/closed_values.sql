{#- The closed enum of a column, read from its contract: the one list that models and gates share. -#}
{%- macro closed_values(model_name, column_name) -%}
    {%- set found = [] -%}
    {#- While dbt parses, the graph is empty and what is rendered is not run. -#}
    {%- set nodes = graph.nodes.values() if execute else [] -%}
    {%- for node in nodes if node.name == model_name -%}
        {%- set column = node.columns.get(column_name) -%}
        {%- if column and column.config.meta.get("tidegate", {}).get("enum") -%}
            {%- do found.extend(column.config.meta.tidegate.enum) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if execute and not found -%}
        {{-
            exceptions.raise_compiler_error(
                "No contract gives "
                ~ model_name
                ~ "."
                ~ column_name
                ~ " a closed enum, and values are to be mapped to it. Add"
                ~ " config.meta.tidegate.enum to the column, or map it no longer."
            )
        -}}
    {%- endif -%}
    {{- return(found) -}}
{%- endmacro -%}
