{#- The key of a result group: made here for the group itself and for everything that refers to it. -#}
{%- macro result_group_key(nct_id, result_type, code, outcome_ordinal="null::integer") -%}
    'group:'
    || {{ nct_id }}
    || ':'
    || {{ result_type }}
    || coalesce(':' || {{ outcome_ordinal }}, '')
    || ':'
    || {{ code }}
{%- endmacro -%}
