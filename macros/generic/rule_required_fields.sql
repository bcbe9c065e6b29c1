{#- Fields that the relation lacks. dbt's side of the rule `required_fields` (docs/rules.md). -#}
{%- test rule_required_fields(model, column_name=none, fields=none, may_be_empty=false) -%}
    {%- set keys = {"fields": fields} -%}
    {{- tidegate.rule_test(model, "required_fields", keys, column_name, may_be_empty) -}}
{%- endtest -%}
