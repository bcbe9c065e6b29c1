{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test llm_schema_contract(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.llm_schema_contract_arguments()) -%}
    {%- if execute -%} {{- tidegate.llm_schema_contract(gate) -}} {%- endif -%}
{%- endtest -%}
