{#- Rows whose value is not among the allowed ones. One array constant, which PostgreSQL hashes;
    never NOT IN, which a null makes silent. -#}
{%- macro referential_violation(rule, types) -%}
    (
        {{ tidegate.rule_value(rule.field, types) }} = any(
            {{ tidegate.literal(tidegate.referential_array(rule.allowed_values, types[rule.field].family)) }}
            ::{{ tidegate.rule_cast(types[rule.field].family) }} []
        )
    )
    is {{ "false" if rule.get("allow_null") else "not true" }}
{%- endmacro -%}

{#- The text of a PostgreSQL array; every element is quoted, so none can be anything but a value. -#}
{%- macro referential_array(values, family) -%}
    {%- if family == "json" -%} {%- set texts = values | map("tojson") -%}
    {%- elif family == "integer" -%} {%- set texts = values | map("int") | map("string") -%}
    {%- else -%} {%- set texts = values | map("string") -%}
    {%- endif -%}
    {%- if values -%}
        {{- '{"' ~ (
            texts | map("replace", "\\", "\\\\") | map("replace", '"', '\\"') | join('","')
        ) ~ '"}' -}}
    {%- endif -%}
{%- endmacro -%}
