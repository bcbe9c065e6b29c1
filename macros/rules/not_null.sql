{#- Rows in which one of the fields is null. -#}
{%- macro not_null_violation(rule) -%}
    {{- tidegate.rule_nulls(rule.get("fields") or [rule.field]) -}}
{%- endmacro -%}

{#- Whether constraints keep every field from being null. -#}
{%- macro not_null_proved(rule, types) -%}
    {%- set seen = namespace(proved="true") -%}
    {%- for field in rule.get("fields") or [rule.field] -%}
        {%- if not types[field].not_null -%} {%- set seen.proved = "" -%} {%- endif -%}
    {%- endfor -%}
    {{- seen.proved -}}
{%- endmacro -%}
