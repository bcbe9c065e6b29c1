{#- A value as SQL text: none is null, everything else a quoted string that the caller casts. -#}
{%- macro literal(value) -%}
    {%- if value is none -%} {{- "null" -}}
    {%- elif value is sameas true -%} {{- "'true'" -}}
    {%- elif value is sameas false -%} {{- "'false'" -}}
    {%- else -%} {{- "'" ~ (value | string | replace("'", "''")) ~ "'" -}}
    {%- endif -%}
{%- endmacro -%}
