{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test development_program_semantics(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.development_program_semantics_arguments()) -%}
    {%- if execute -%} {{- tidegate.development_program_semantics(gate) -}} {%- endif -%}
{%- endtest -%}
