{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_locator(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.source_locator_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_locator(gate) -}} {%- endif -%}
{%- endtest -%}
