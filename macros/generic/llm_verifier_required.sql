{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test llm_verifier_required(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.llm_verifier_required_arguments()) -%}
    {%- if execute -%} {{- tidegate.llm_verifier_required(gate) -}} {%- endif -%}
{%- endtest -%}
