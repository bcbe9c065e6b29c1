{#- dbt's side of the gate, for the contract of `q_catalog__<family>`: every column of the family's
    candidate. The catalogue is built last (see `catalog_rows`), so all relations are there. -#}
{%- test catalog_contract_coverage(
    model, slice=none, owner=none, contract_ref=none, partition_key=none, sample_strategy=none
) -%}
    {{- tidegate.gate_config() -}}
    {%- if execute -%}
        {%- set tested = tidegate.tested_model() -%}
        {%- set keys = tidegate.contract_of(tested) -%}
        {{-
            tidegate.catalog_contract_coverage(
                tested.schema, model, tested.name, when_empty="block"
            )
        -}}
    {%- endif -%}
{%- endtest -%}
