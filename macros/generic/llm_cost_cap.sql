{#- dbt's side of the gate, one for each `task`; its arguments: docs/gates.md. It warns unless the
    contract says `severity: error`. -#}
{%- test llm_cost_cap(model) -%}
    {{- config(severity="warn") -}}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.llm_cost_cap_arguments()) -%}
    {%- if execute -%} {{- tidegate.llm_cost_cap(gate) -}} {%- endif -%}
{%- endtest -%}
