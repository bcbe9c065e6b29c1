{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test llm_cache_idempotency(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.llm_cache_idempotency_arguments()) -%}
    {%- if execute -%} {{- tidegate.llm_cache_idempotency(gate) -}} {%- endif -%}
{%- endtest -%}
