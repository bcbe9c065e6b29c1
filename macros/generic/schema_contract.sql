{#- dbt's side of the gate: the built relation against the contract of the model itself. -#}
{%- test schema_contract(
    model, slice=none, owner=none, contract_ref=none, partition_key=none, sample_strategy=none
) -%}
    {{- tidegate.gate_config() -}}
    {%- if execute -%}
        {%- set tested = tidegate.tested_model() -%}
        {%- set keys = tidegate.contract_of(tested) -%}
        {%- set columns = tidegate.contracted_columns(tested) -%}
        {%- set scanned = [] -%}
        {%- if tested.config.materialized == "view" -%}
            {%- set scanned = columns | rejectattr("nullable") | map(attribute="name") | list -%}
        {%- endif -%}
        {{-
            tidegate.schema_contract(
                api.Relation.create(tested.database, tested.schema, tested.alias),
                tested.name,
                columns,
                scanned,
            )
        -}}
    {%- endif -%}
{%- endtest -%}
