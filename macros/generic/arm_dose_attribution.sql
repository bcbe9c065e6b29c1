{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test arm_dose_attribution(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.arm_dose_attribution_arguments()) -%}
    {%- if execute -%} {{- tidegate.arm_dose_attribution(gate) -}} {%- endif -%}
{%- endtest -%}
