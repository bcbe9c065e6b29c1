{#- dbt's side of the gate; its arguments: docs/gates.md. -#}
{%- test publication_corpus_identity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.publication_corpus_identity_arguments()) -%}
    {%- if execute -%} {{- tidegate.publication_corpus_identity(gate) -}} {%- endif -%}
{%- endtest -%}
