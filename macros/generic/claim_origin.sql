{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test claim_origin(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.claim_origin_arguments()) -%}
    {%- if execute -%} {{- tidegate.claim_origin(gate) -}} {%- endif -%}
{%- endtest -%}
