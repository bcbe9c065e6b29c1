{#- A field that holds several values separated by | as an array; no value is an empty array. -#}
{%- macro listed(value) -%}
    coalesce(string_to_array({{ value }}, '|'), array[]::text[])
{%- endmacro -%}
