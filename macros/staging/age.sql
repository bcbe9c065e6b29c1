{#- The number of an age such as `18 years`; an age in no known unit is null. -#}
{%- macro age_value(age) -%}
    case
        when {{ age }} ~ '^[0-9]{1,3} (year|month|week|day|hour|minute)s?$'
        then split_part({{ age }}, ' ', 1)::integer
    end
{%- endmacro -%}

{#- The unit of an age such as `1 year`, always in the plural; an age in no known unit is null. -#}
{%- macro age_unit(age) -%}
    case
        when {{ age }} ~ '^[0-9]{1,3} (year|month|week|day|hour|minute)s?$'
        then rtrim(split_part({{ age }}, ' ', 2), 's') || 's'
    end
{%- endmacro -%}
