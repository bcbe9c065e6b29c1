{#- How many rows a gate looks at. -#}
{%- macro row_count(relation, where=none) -%}
    select count(*) from {{ relation }} as counted {%- if where %} where ({{ where }}) {%- endif %}
{%- endmacro -%}

{#- The same under several conditions (none: all rows), in one scan and in their order. -#}
{%- macro row_counts(relation, wheres) -%}
    select
        {%- for where in wheres %}
            count(*)
            {%- if where %} filter (where ({{ where }})) {%- endif %}
            {{- "," if not loop.last }}
        {%- endfor %}
    from {{ relation }} as counted
{%- endmacro -%}
