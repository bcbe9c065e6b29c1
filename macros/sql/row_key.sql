{#- The key of one row as text: its key columns joined by |, as q_provenance names rows. A null part
    is empty text, so that no row loses its place. -#}
{%- macro row_key(columns, alias) -%}
    {%- for column in columns -%}
        coalesce({{ alias }}.{{ tidegate.identifier(column) }}::text, '')
        {%- if not loop.last %} || '|' || {% endif -%}
    {%- endfor -%}
{%- endmacro -%}
