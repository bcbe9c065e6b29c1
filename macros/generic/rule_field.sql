{#- A field of another type than expected, or with nulls it may not have. dbt's side of the rule `field` (docs/rules.md). -#}
{%- test rule_field(model, column_name=none, field=none, data_type=none, nullable=none, may_be_empty=false) -%}
    {%- set keys = {"field": field, "data_type": data_type, "nullable": nullable} -%}
    {{- tidegate.rule_test(model, "field", keys, column_name, may_be_empty) -}}
{%- endtest -%}
