{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test document_version(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.document_version_arguments()) -%}
    {%- if execute -%} {{- tidegate.document_version(gate) -}} {%- endif -%}
{%- endtest -%}
