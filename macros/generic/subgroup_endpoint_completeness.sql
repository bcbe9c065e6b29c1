{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test subgroup_endpoint_completeness(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.subgroup_endpoint_completeness_arguments()) -%}
    {%- if execute -%} {{- tidegate.subgroup_endpoint_completeness(gate) -}} {%- endif -%}
{%- endtest -%}
