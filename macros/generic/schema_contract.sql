{#- dbt's side of the gate: the built relation against the contract of the model itself. -#}
{%- test schema_contract(
    model, slice=none, owner=none, contract_ref=none, partition_key=none, sample_strategy=none
) -%}
    {{- tidegate.gate_config() -}}
    {%- if execute -%}
        {%- set tested = tidegate.tested_model() -%}
        {%- set keys = tidegate.contract_of(tested) -%}
        {%- set columns = tidegate.contracted_columns(tested) -%}
        {%- set relation = api.Relation.create(tested.database, tested.schema, tested.alias) -%}
        {%- set live = tidegate.live_columns(relation) -%}
        {%- set scanned = [] -%}
        {%- set enums = [] -%}
        {%- for column in columns if column.name in live -%}
            {%- if tested.config.materialized == "view" and not column.nullable -%}
                {%- do scanned.append(column.name) -%}
            {%- endif -%}
            {%- set values = column.tidegate.get("enum") -%}
            {%- set array = column.data_type.rstrip().endswith("]") -%}
            {%- if values is not none and values is defined and array == live[column.name] -%}
                {%- do enums.append({"name": column.name, "array": array, "values": values}) -%}
            {%- endif -%}
        {%- endfor -%}
        {{- tidegate.schema_contract(relation, tested.name, columns, scanned, enums) -}}
    {%- endif -%}
{%- endtest -%}

{#- The columns that a relation has, and whether each is an array; none where there is no relation. -#}
{%- macro live_columns(relation) -%}
    {%- set known = {} -%}
    {%- set query -%}
        select pg_attribute.attname, pg_type.typcategory = 'A' as is_array
        from pg_catalog.pg_attribute
        inner join pg_catalog.pg_type on pg_type.oid = pg_attribute.atttypid
        where
            pg_attribute.attrelid = to_regclass({{ tidegate.literal(relation) }})
            and pg_attribute.attnum > 0
            and not pg_attribute.attisdropped
    {%- endset -%}
    {%- for row in run_query(query).rows -%}
        {%- do known.update({row[0]: row[1]}) -%}
    {%- endfor -%}
    {{- return(known) -}}
{%- endmacro -%}
