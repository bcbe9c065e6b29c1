{#- A posted number, thousands commas allowed; what is not a number ("NA") is null, never zero. -#}
{%- macro to_number(value) -%}
    case
        when {{ value }} ~ '^[-+]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.][0-9]+)?$'
        then replace({{ value }}, ',', '')::numeric
        when {{ value }} ~ '^[-+]?[.][0-9]+$'
        then {{ value }}::numeric
    end
{%- endmacro -%}
