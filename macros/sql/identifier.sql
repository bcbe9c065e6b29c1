{#- A name as SQL: always quoted, so that reserved words, mixed case and hostile names stay names. -#}
{%- macro identifier(name) -%}
    {{- '"' ~ (name | string | replace('"', '""')) ~ '"' -}}
{%- endmacro -%}
