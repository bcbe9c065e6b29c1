{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test population_grain_integrity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.population_grain_integrity_arguments()) -%}
    {%- if execute -%} {{- tidegate.population_grain_integrity(gate) -}} {%- endif -%}
{%- endtest -%}
