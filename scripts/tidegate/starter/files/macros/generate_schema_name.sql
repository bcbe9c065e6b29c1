{#- A model of a family is built aside, in its candidate schema. -#}
{%- macro generate_schema_name(custom_schema_name, node) -%}
    {{- return(tidegate.generate_schema_name(custom_schema_name, node)) -}}
{%- endmacro -%}
