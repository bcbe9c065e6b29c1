{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test announcement_semantics(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.announcement_semantics_arguments()) -%}
    {%- if execute -%} {{- tidegate.announcement_semantics(gate) -}} {%- endif -%}
{%- endtest -%}
