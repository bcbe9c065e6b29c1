{#- Too few or too many rows. dbt's side of the rule `row_count` (docs/rules.md). -#}
{%- test rule_row_count(model, column_name=none, minimum=none, maximum=none, may_be_empty=false) -%}
    {%- set keys = {"minimum": minimum, "maximum": maximum} -%}
    {{- tidegate.rule_test(model, "row_count", keys, column_name, may_be_empty) -}}
{%- endtest -%}
