{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test epidemiology_observation_semantics(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.epidemiology_observation_semantics_arguments()) -%}
    {%- if execute -%} {{- tidegate.epidemiology_observation_semantics(gate) -}} {%- endif -%}
{%- endtest -%}
