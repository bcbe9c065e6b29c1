{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test source_artifact_immutability(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.source_artifact_immutability_arguments()) -%}
    {%- if execute -%} {{- tidegate.source_artifact_immutability(gate) -}} {%- endif -%}
{%- endtest -%}
