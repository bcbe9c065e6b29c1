{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test llm_prompt_version_pinned(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.llm_prompt_version_pinned_arguments()) -%}
    {%- if execute -%} {{- tidegate.llm_prompt_version_pinned(gate) -}} {%- endif -%}
{%- endtest -%}
