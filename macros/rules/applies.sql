{#- Whether a rule can be judged on these columns at all; nothing where a field is absent or holds
    what cannot be in order. The harness checks values as well (`rules/typecheck.py`). -#}
{%- macro rule_applies(rule, types) -%}
    {%- set seen = namespace(applies="true") -%}
    {%- if rule.type not in ("row_count", "required_fields", "field") -%}
        {%- for field in rule.get("fields") or [rule.field] -%}
            {%- if field not in types -%} {%- set seen.applies = "" -%}
            {%- elif rule.type == "range" and types[field].family not in (
                "integer", "numeric", "real", "double", "date", "timestamp", "timestamptz"
            ) -%}
                {%- set seen.applies = "" -%}
            {%- elif rule.type == "referential" and types[field].family == "other" -%}
                {%- set seen.applies = "" -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{- seen.applies -}}
{%- endmacro -%}
