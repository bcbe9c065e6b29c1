{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_parseability(model) -%}
    {%- set gate = tidegate.delivered(model, kwargs, tidegate.source_parseability_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_parseability(gate) -}} {%- endif -%}
{%- endtest -%}
