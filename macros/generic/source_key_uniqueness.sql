{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_key_uniqueness(model) -%}
    {%- set gate = tidegate.delivered(model, kwargs, tidegate.source_key_uniqueness_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_key_uniqueness(gate) -}} {%- endif -%}
{%- endtest -%}
