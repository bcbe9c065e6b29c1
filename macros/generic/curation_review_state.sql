{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test curation_review_state(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.curation_review_state_arguments()) -%}
    {%- if execute -%} {{- tidegate.curation_review_state(gate) -}} {%- endif -%}
{%- endtest -%}
