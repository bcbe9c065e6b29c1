{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_reachability(model) -%}
    {%- set gate = tidegate.delivered(model, kwargs, tidegate.source_reachability_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_reachability(gate) -}} {%- endif -%}
{%- endtest -%}
