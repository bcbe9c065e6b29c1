{#- A posted count; what is not a whole number that fits is null. -#}
{%- macro to_integer(value) -%}
    case
        when {{ value }} ~ '^[0-9]{1,3}(,[0-9]{3}){0,2}$' or {{ value }} ~ '^[0-9]{1,9}$'
        then replace({{ value }}, ',', '')::integer
    end
{%- endmacro -%}
