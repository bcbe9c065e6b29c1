{#- Rows of models that hold a value outside a closed enum of their contract, as a gate returns them:
    the key and the column, never the value. -#}
{%- macro outside_closed_enums(relations) -%}
    {%- set selects = [] -%}
    {%- for relation in relations if execute -%}
        {%- set node = (
            graph.nodes.values() | selectattr("name", "equalto", relation.identifier) | first
        ) -%}
        {%- for column in node.columns.values() -%}
            {%- if column.config.meta.tidegate.enum -%}
                {%- do selects.append(
                    tidegate.outside_closed_enum(
                        relation, node.name, node.config.meta.tidegate.row_key, column
                    )
                ) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- selects | join(" union all ") or "select 1 where false" -}}
{%- endmacro -%}

{#- The same for one column of one model. -#}
{%- macro outside_closed_enum(relation, model_name, row_key, column) -%}
    {%- set value = "judged." ~ tidegate.identifier(column.name) -%}
    {%- set values = tidegate.closed_array(model_name, column.name) -%}
    select
        {{ tidegate.literal(model_name ~ "|") }}
        || {{ tidegate.row_key(row_key, "judged") }} as row_key,
        'block'::text as level,
        'value_outside_enum'::text as reason,
        jsonb_build_object('column', {{ tidegate.literal(column.name) }}::text) as metadata
    from {{ relation }} as judged
    where
        {% if column.data_type.endswith("[]") %} not {{ value }} <@ {{ values }}
        {% else %} {{ value }} <> all({{ values }})
        {% endif %}
{%- endmacro -%}
