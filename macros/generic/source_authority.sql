{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_authority(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.source_authority_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_authority(gate) -}} {%- endif -%}
{%- endtest -%}
