{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test commercial_observation_semantics(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.commercial_observation_semantics_arguments()) -%}
    {%- if execute -%} {{- tidegate.commercial_observation_semantics(gate) -}} {%- endif -%}
{%- endtest -%}
