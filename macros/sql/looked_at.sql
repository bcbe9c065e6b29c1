{#- A relation with an alias, which PostgreSQL 15 wants of a query; where a test has a `where`, dbt has
    made it a query with an alias of its own. -#}
{%- macro looked_at(relation) -%}
    {{ relation }}
    {%- if not (relation | string).rstrip().endswith("dbt_subquery") %} as looked_at {%- endif -%}
{%- endmacro -%}
