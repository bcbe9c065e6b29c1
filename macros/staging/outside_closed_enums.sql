{#- Rows of models that hold a value outside a closed enum of their contract, as a gate returns them:
    the key and the column, never the value. Each model is read once, however many enums it has. -#}
{%- macro outside_closed_enums(relations) -%}
    {%- set selects = [] -%}
    {%- for relation in relations if execute -%}
        {%- set node = (
            graph.nodes.values() | selectattr("name", "equalto", relation.identifier) | first
        ) -%}
        {%- set found = [] -%}
        {%- for column in node.columns.values() if column.config.meta.tidegate.enum -%}
            {%- set outside = tidegate.outside_closed_enum(node.name, column) -%}
            {%- do found.append({"name": column.name, "outside": outside}) -%}
        {%- endfor -%}
        {%- if found -%}
            {%- do selects.append(
                tidegate.outside_enums_of(
                    relation, node.name, node.config.meta.tidegate.row_key, found
                )
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- selects | join(" union all ") or "select 1 where false" -}}
{%- endmacro -%}

{#- The same for one model; `found`: its columns with an enum, and when each is outside. Whether any
    is comes first: one look that spares most rows the list. -#}
{%- macro outside_enums_of(relation, model_name, row_key, found) -%}
    select
        {{ tidegate.literal(model_name ~ "|") }}
        || {{ tidegate.row_key(row_key, "judged") }} as row_key,
        'block'::text as level,
        'value_outside_enum'::text as reason,
        jsonb_build_object('column', outside.name) as metadata
    from {{ relation }} as judged
    cross join
        lateral(
            values
                {%- for column in found %}
                    ({{ column.outside }}, {{ tidegate.literal(column.name) }}::text)
                    {{- ", " if not loop.last }}
                {%- endfor %}
        ) as outside(applies, name)
    where outside.applies and ({{ found | map(attribute="outside") | join(" or ") }})
{%- endmacro -%}

{#- Whether the value of one column is outside. -#}
{%- macro outside_closed_enum(model_name, column) -%}
    {%- set value = "judged." ~ tidegate.identifier(column.name) -%}
    {%- set values = tidegate.closed_array(model_name, column.name) -%}
    {%- if column.data_type.endswith("[]") -%} not {{ value }} <@ {{ values }}
    {%- else -%} {{ value }} <> all({{ values }})
    {%- endif -%}
{%- endmacro -%}
