{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test publication_value_semantics(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.publication_value_semantics_arguments()) -%}
    {%- if execute -%} {{- tidegate.publication_value_semantics(gate) -}} {%- endif -%}
{%- endtest -%}
