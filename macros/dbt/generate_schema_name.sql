{#- Where dbt builds a node: a model of a family goes into the family's candidate, everything else
    into the schema of its layer as it is written, without a prefix (design §2). -#}
{%- macro generate_schema_name(custom_schema_name, node) -%}
    {%- set family = tidegate.family_of(node) -%}
    {%- if family -%} {{- family ~ "__candidate" -}}
    {%- elif custom_schema_name -%} {{- custom_schema_name | trim -}}
    {%- else -%} {{- target.schema -}}
    {%- endif -%}
{%- endmacro -%}
