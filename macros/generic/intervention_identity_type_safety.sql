{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test intervention_identity_type_safety(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.intervention_identity_type_safety_arguments()) -%}
    {%- if execute -%} {{- tidegate.intervention_identity_type_safety(gate) -}} {%- endif -%}
{%- endtest -%}
