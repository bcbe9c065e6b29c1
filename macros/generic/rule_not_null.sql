{#- Rows in which one of the fields is null. dbt's side of the rule `not_null` (docs/rules.md). -#}
{%- test rule_not_null(model, column_name=none, field=none, fields=none, may_be_empty=false) -%}
    {%- set keys = {"field": field, "fields": fields} -%}
    {{- tidegate.rule_test(model, "not_null", keys, column_name, may_be_empty) -}}
{%- endtest -%}
