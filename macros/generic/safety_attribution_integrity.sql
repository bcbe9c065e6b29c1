{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test safety_attribution_integrity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.safety_attribution_integrity_arguments()) -%}
    {%- if execute -%} {{- tidegate.safety_attribution_integrity(gate) -}} {%- endif -%}
{%- endtest -%}
