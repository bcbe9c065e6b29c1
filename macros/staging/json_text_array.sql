{#- The texts of an array at a path, in order; an empty array where there is none. -#}
{%- macro json_text_array(document, path) -%}
    array(
        select btrim(element.document #>> '{}')
        from {{ tidegate.json_elements(document, path) }}
        with ordinality as element(document, position)
        where nullif(btrim(element.document #>> '{}'), '') is not null
        order by element.position
    )
{%- endmacro -%}
