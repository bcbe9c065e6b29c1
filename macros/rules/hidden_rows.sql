{#- What is said where row security hides rows from the role that judges (`hides_rows` of `rule_facts`):
    by dbt and by the harness alike. -#}
{%- macro rule_hidden_rows(schema, name) -%}
    {{-
        "Row security hides rows of "
        ~ schema
        ~ "."
        ~ name
        ~ " from this role: what it does not see would count as passed."
    -}}
{%- endmacro -%}

{#- What to do about it. -#}
{%- macro rule_hidden_rows_remedy() -%}
    {{-
        "Judge it as its owner or as a role with BYPASSRLS, or judge a view that shows"
        ~ " what is meant."
    -}}
{%- endmacro -%}
