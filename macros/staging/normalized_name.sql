{#- A name as names are compared: lower case, every run of other signs one space, no mark signs. -#}
{%- macro normalized_name(value) -%}
    btrim(regexp_replace(lower({{ value }}), '[^[:alnum:]%<>=≥≤]+', ' ', 'g'))
{%- endmacro -%}
