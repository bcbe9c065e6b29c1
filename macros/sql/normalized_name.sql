{#- A name as names are compared: lower case, every run of other signs one space, no mark signs. -#}
{%- macro normalized_name(value) -%}
    btrim(regexp_replace(lower({{ value }}), '[^[:alnum:]%<>=≥≤]+', ' ', 'g'))
{%- endmacro -%}

{#- Who decided, as the ledger compares them (`curation.same_name`): without regard to case and spaces. -#}
{%- macro name_of_a_person(value) -%}
    lower(regexp_replace(btrim({{ value }}), '[[:space:]]+', ' ', 'g'))
{%- endmacro -%}

{#- The key of a term that means the same wherever it stands in a slice, as the subject of a link. Where
    terms of one kind name different things, the slice says which: `news:drug`. -#}
{%- macro alias_key(kind, slice, name) -%}
    {{ tidegate.literal(kind ~ ":" ~ slice ~ ":") }} || {{ tidegate.normalized_name(name) }}
{%- endmacro -%}
