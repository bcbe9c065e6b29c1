{#-
  dbt's own macro warns about `numeric` without precision, because some engines round it. PostgreSQL
  keeps such a number exactly, so the warning would only hide others. A column without a type is
  still an error.
-#}
{%- macro postgres__get_empty_schema_sql(columns) -%}
    {%- set untyped = columns.values() | rejectattr("data_type") | map(attribute="name") | list -%}
    {%- if untyped -%} {{- exceptions.column_type_missing(column_names=untyped) -}} {%- endif -%}
    select
        {%- for column in columns.values() %}
            {{ cast("null", column.data_type) }}
            as {{ adapter.quote(column.name) if column.quote else column.name }}
            {{- "," if not loop.last }}
        {%- endfor %}
{%- endmacro -%}
