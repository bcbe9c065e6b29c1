{#- Rows whose value is not among the allowed ones. dbt's side of the rule `referential` (docs/rules.md). -#}
{%- test rule_referential(model, column_name=none, field=none, allowed_values=none, allow_null=none, may_be_empty=false) -%}
    {%- set keys = {"field": field, "allowed_values": allowed_values, "allow_null": allow_null} -%}
    {{- tidegate.rule_test(model, "referential", keys, column_name, may_be_empty) -}}
{%- endtest -%}
