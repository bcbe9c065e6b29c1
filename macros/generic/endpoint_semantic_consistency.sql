{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test endpoint_semantic_consistency(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.endpoint_semantic_consistency_arguments()) -%}
    {%- if execute -%} {{- tidegate.endpoint_semantic_consistency(gate) -}} {%- endif -%}
{%- endtest -%}
