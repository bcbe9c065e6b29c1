{#- The violation of a gate whose test names nothing to look at or judge by: it would pass whatever the
    rows are. -#}
{%- macro gate_undeclared(gate, declared, reason="columns_undeclared") -%}
    {%- if not declared %}
        union all
        select
            {{ tidegate.literal(gate.subject) }}::text,
            'block'::text,
            {{ tidegate.literal(reason) }}::text,
            '{}'::jsonb
    {%- endif %}
{%- endmacro -%}
