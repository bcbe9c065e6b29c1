{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test date_validity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.date_validity_arguments()) -%}
    {%- if execute -%} {{- tidegate.date_validity(gate) -}} {%- endif -%}
{%- endtest -%}
