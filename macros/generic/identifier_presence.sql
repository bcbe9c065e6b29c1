{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test identifier_presence(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.identifier_presence_arguments()) -%}
    {%- if execute -%} {{- tidegate.identifier_presence(gate) -}} {%- endif -%}
{%- endtest -%}
