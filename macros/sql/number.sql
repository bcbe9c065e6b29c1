{#- A whole number as SQL. -#}
{%- macro number(value) -%} select {{ value | int }} {%- endmacro -%}
