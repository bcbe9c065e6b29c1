{#- How exact a date of the source is: `day`, `month` or `year`; null where there is no date. -#}
{%- macro date_precision(value, date) -%}
    case
        when {{ date }} is null
        then null
        else (array['year', 'month', 'day'])[cardinality(string_to_array({{ value }}, '-'))]
    end
{%- endmacro -%}
