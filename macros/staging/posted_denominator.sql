{#- The number analysed that a measure or class posts for a group: of its first units, as text. -#}
{%- macro posted_denominator(document, group_code) -%}
    (
        select nullif(btrim(denominator.document ->> 'value'), '')
        from {{ tidegate.json_elements(document, "denoms/0/counts") }}
        with ordinality as denominator(document, position)
        where denominator.document ->> 'groupId' = {{ group_code }}
        order by denominator.position
        limit 1
    )
{%- endmacro -%}
