{#- Whether a number stands in a quote as printed and not as part of a longer one: 9 is in "9%", not in "9.2"
    or "19". -#}
{%- macro printed_in(quote, printed) -%}
    {{ quote }}
    ~ ('(^|[^0-9.])' || replace({{ printed }}, '.', '[.]') || '($|[^0-9.]|[.]($|[^0-9]))')
{%- endmacro -%}
