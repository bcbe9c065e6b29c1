{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test assertion_support(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.assertion_support_arguments()) -%}
    {%- if execute -%} {{- tidegate.assertion_support(gate) -}} {%- endif -%}
{%- endtest -%}
