{#- Text at a path of a document; null where it is absent or blank, for a missing fact is null. -#}
{%- macro json_text(document, path) -%}
    nullif(btrim({{ document }} #>> {{ tidegate.json_path(path) }}), '')
{%- endmacro -%}
