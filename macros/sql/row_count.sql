{#- How many rows a gate looks at. -#}
{%- macro row_count(relation, where=none) -%}
    select count(*) from {{ relation }} as counted {%- if where %} where ({{ where }}) {%- endif %}
{%- endmacro -%}
