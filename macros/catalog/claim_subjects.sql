{#- Whose fact a claim about an interval is: the natural key of its row in the list, as SQL. -#}
{%- macro relationship_subject(staged) -%}
    concat_ws(
        ':',
        'relationship',
        {{ staged }}.relationship_type,
        {{ staged }}.subject_key,
        {{ staged }}.object_key
    )
    || '@'
    || {{ staged }}.valid_from
{%- endmacro -%}

{#- The same of a recommendation of a guideline. -#}
{%- macro recommendation_subject(staged) -%}
    {{ staged }}.soc_key || '@' || {{ staged }}.valid_from
{%- endmacro -%}
