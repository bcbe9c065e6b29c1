{#- The catalogue of a family: one row for each contracted column of its models, from the contracts.
    `after`: relations of the other models of the family (`[ref('q_a'), …]`), which makes dbt build
    the catalogue last. -#}
{%- macro catalog_rows(family, after=[]) -%}
    {%- set rows = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values()
            if node.resource_type == "model" and tidegate.family_of(node) == family -%}
            {%- for column in tidegate.contracted_columns(node) -%}
                {%- do rows.append(tidegate.catalog_row(node, column, loop.index)) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- for row in rows | sort %} {{ row }} {{- " union all " if not loop.last }}
    {%- else %}
        {{ tidegate.catalog_row({"name": "", "alias": "", "config": {}}, {"tidegate": {}}, 0) }}
        where false
    {%- endfor %}
{%- endmacro -%}

{#- One row as a select; what a contract leaves out is null, for the gate to find. -#}
{%- macro catalog_row(node, column, ordinal) -%}
    {%- set keys = ((node.config or {}).get("meta") or {}).get("tidegate", {}) -%}
    {%- set enum = column["tidegate"].get("enum") -%}
    select
        {{ tidegate.literal(node.alias ~ "|" ~ column.name) }}::text as row_key,
        {{ tidegate.literal(node.alias) }}::text as model_name,
        {{ tidegate.literal(column.name) }}::text as column_name,
        {{ ordinal }}::integer as ordinal,
        {{ tidegate.literal(column.data_type) }}::text as data_type,
        {{ "true" if column.nullable else "false" }}::boolean as nullable,
        nullif({{ tidegate.literal(column.description or "") }}, '')::text as description,
        {{ tidegate.literal(keys.get("grain")) }}::text as grain,
        {{ tidegate.literal(keys.get("owner")) }}::text as owner,
        {{ tidegate.text_array(enum) if enum else "null::text[]" }} as closed_enum,
        {{ tidegate.literal(keys.get("version")) }}::text as contract_version,
        {{ tidegate.literal(keys.get("provenance", {}).get("policy")) }}::text as provenance_policy,
        {{ tidegate.literal(column["tidegate"].get("sensitivity", "internal")) }}::text
        as sensitivity,
        {{ tidegate.text_array(keys.get("row_key", [])) }} as row_key_columns
{%- endmacro -%}
