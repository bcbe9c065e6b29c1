{#- Every row has the identifiers that its source gives it. Option: `identifiers`, the columns. -#}
{%- macro identifier_presence(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }},
    named as (
        select
            {{ tidegate.row_key(gate.row_key, "checked") }} as row_key,
            {{ tidegate.blank_columns("checked", gate.options.identifiers) }} as missing
        from checked
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(gate, gate.options.identifiers) }}
    union all
    select named.row_key, found.level, found.reason, jsonb_build_object('missing', named.missing)
    from named
    cross join
        lateral(values (cardinality(named.missing) > 0, 'block', 'identifier_missing')) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{%- macro identifier_presence_arguments() -%}
    {{- {"relations": {}, "options": {"identifiers": []}} | tojson -}}
{%- endmacro -%}
