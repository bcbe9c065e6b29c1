{#- The date of `2012`, `2012-09` or `2012-09-26`: the first day it may be. Not a date: null. -#}
{%- macro first_day(value) -%}
    case
        when {{ value }} ~ '^[12][0-9]{3}$'
        then make_date({{ value }}::integer, 1, 1)
        when {{ value }} ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])$'
        then make_date(left({{ value }}, 4)::integer, right({{ value }}, 2)::integer, 1)
        when {{ value }} ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
        then
            {# A day that its month does not have must not raise: count from the first and compare. #}
            (
                select candidate.day
                from
                    (
                        select
                            make_date(
                                left({{ value }}, 4)::integer, substr({{ value }}, 6, 2)::integer, 1
                            )
                            + (right({{ value }}, 2)::integer - 1) as day
                    ) as candidate
                where extract(month from candidate.day) = substr({{ value }}, 6, 2)::integer
            )
    end
{%- endmacro -%}
