{#- A name as names are compared: lower case, every run of other signs one space, no mark signs. -#}
{%- macro normalized_name(value) -%}
    btrim(regexp_replace(lower({{ value }}), '[^[:alnum:]%<>=≥≤]+', ' ', 'g'))
{%- endmacro -%}


{#- The key of an alias as the subject of a link. -#}
{%- macro org_alias_key(slice, name) -%}
    {{ tidegate.literal("org_alias:" ~ slice ~ ":") }} || {{ tidegate.normalized_name(name) }}
{%- endmacro -%}
