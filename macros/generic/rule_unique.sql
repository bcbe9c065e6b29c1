{#- Rows whose key occurs again. dbt's side of the rule `unique` (docs/rules.md). -#}
{%- test rule_unique(model, column_name=none, field=none, fields=none, ignore_nulls=none, may_be_empty=false) -%}
    {%- set keys = {"field": field, "fields": fields, "ignore_nulls": ignore_nulls} -%}
    {{- tidegate.rule_test(model, "unique", keys, column_name, may_be_empty) -}}
{%- endtest -%}
