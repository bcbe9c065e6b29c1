{#- Whether a key is known: what has no key is unknown, unless its source says that it does not apply. -#}
{%- macro known_state(key, stated) -%}
    case
        when {{ key }} is not null
        then 'known'
        when {{ stated }} = 'not_applicable'
        then 'not_applicable'
        else 'unknown'
    end
{%- endmacro -%}
