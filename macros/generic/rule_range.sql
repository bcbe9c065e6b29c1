{#- Rows whose value lies outside the bounds, NaN and infinity among them. dbt's side of the rule `range` (docs/rules.md). -#}
{%- test rule_range(model, column_name=none, field=none, minimum=none, maximum=none, allow_null=none, may_be_empty=false) -%}
    {%- set keys = {"field": field, "minimum": minimum, "maximum": maximum, "allow_null": allow_null} -%}
    {{- tidegate.rule_test(model, "range", keys, column_name, may_be_empty) -}}
{%- endtest -%}
