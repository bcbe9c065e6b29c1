{#- Rows whose value lies outside the bounds. NaN is above everything and infinity is a value to
    PostgreSQL: with one bound only, the other is infinity itself, excluded. -#}
{%- macro range_violation(rule, types) -%}
    {%- set value = tidegate.rule_value(rule.field, types) -%}
    {%- set family = types[rule.field].family -%}
    {%- set minimum, maximum = rule.get("minimum"), rule.get("maximum") -%}
    (
        {%- if minimum is not none -%}{{ value }} >= {{ tidegate.range_bound(minimum, family) }}
        {%- elif family != "integer" -%}{{ value }} > '-infinity'::{{ tidegate.rule_cast(family) }}
        {%- else -%}true
        {%- endif %}
        {% if maximum is not none -%} and {{ value }} <= {{ tidegate.range_bound(maximum, family) }}
        {%- elif family != "integer" -%}
            and {{ value }} < 'infinity'::{{ tidegate.rule_cast(family) }}
        {%- endif -%}
    )
    is {{ "false" if rule.get("allow_null") else "not true" }}
{%- endmacro -%}

{%- macro range_bound(value, family) -%}
    {%- if value is number and value == value | int -%}
        {{- tidegate.literal(value | int) }}::{{ tidegate.rule_cast(family) -}}
    {%- else -%} {{- tidegate.literal(value) }}::{{ tidegate.rule_cast(family, whole=false) -}}
    {%- endif -%}
{%- endmacro -%}

{#- Rows of a violation whose value is NaN or an infinity. -#}
{%- macro range_non_finite(rule, types) -%}
    {%- set family = types[rule.field].family -%}
    {%- set cast = tidegate.rule_cast(family) -%}
    {%- if family == "integer" -%} false
    {%- else -%}
        {{ tidegate.identifier(rule.field) }} in (
            'infinity'::{{ cast }},
            '-infinity'::{{ cast }}
            {%- if family in ("numeric", "real", "double") %}, 'NaN'::{{ cast }}
            {%- endif -%}
        )
    {%- endif -%}
{%- endmacro -%}
