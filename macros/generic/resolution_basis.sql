{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test resolution_basis(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.resolution_basis_arguments()) -%}
    {%- if execute -%} {{- tidegate.resolution_basis(gate) -}} {%- endif -%}
{%- endtest -%}
