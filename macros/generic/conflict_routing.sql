{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test conflict_routing(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.conflict_routing_arguments()) -%}
    {%- if execute -%} {{- tidegate.conflict_routing(gate) -}} {%- endif -%}
{%- endtest -%}
