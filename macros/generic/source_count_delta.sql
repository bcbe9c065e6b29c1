{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_count_delta(model) -%}
    {%- set gate = tidegate.delivered(model, kwargs, tidegate.source_count_delta_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_count_delta(gate) -}} {%- endif -%}
{%- endtest -%}
