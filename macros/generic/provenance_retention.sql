{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test provenance_retention(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.provenance_retention_arguments()) -%}
    {%- if execute -%} {{- tidegate.provenance_retention(gate) -}} {%- endif -%}
{%- endtest -%}
