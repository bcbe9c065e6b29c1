{#- `numeric` without precision is exact in PostgreSQL: no warning about it. -#}
{%- macro postgres__get_empty_schema_sql(columns) -%}
    {{- return(tidegate.postgres__get_empty_schema_sql(columns)) -}}
{%- endmacro -%}
