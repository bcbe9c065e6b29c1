{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test curation_effective_state(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.curation_effective_state_arguments()) -%}
    {%- if execute -%} {{- tidegate.curation_effective_state(gate) -}} {%- endif -%}
{%- endtest -%}
