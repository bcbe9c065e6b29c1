{#- A word of the source for a closed enum is mapped to it, or stands in the quarantine: never lost,
    never a default. Options: `enums`, column to the column with the source's own words
    (a list: `source_<column>`); `closed`,
    column to the values it may have (in dbt those that the contract of the model `quarantined_as`
    gives it); `quarantined_as`, the relation's name in the quarantine (none: its own). -#}
{%- macro enum_mapping(gate) -%}
    {%- set enums = gate.options.enums -%}
    {{ tidegate.gate_rows(gate, {}) }}
    {{ tidegate.quarantined(gate) }},
    said as (
        select {{ tidegate.row_key(gate.row_key, "checked") }} as row_key, cell.*
        from checked
        cross join
            lateral(
                values
                    (null::text, null::text, null::text, null::text[])
                    {%- for name in enums %}
                        {%- set said = enums[name] if enums is mapping else "source_" ~ name %},
                        (
                            {{ tidegate.literal(name) }},
                            checked.{{ tidegate.identifier(name) }}::text,
                            checked.{{ tidegate.identifier(said) }}::text,
                            {{ tidegate.text_array(gate.options.closed[name]) if gate.options.closed.get(name) else "null" }}
                        )
                    {%- endfor %}
            ) as cell(column_name, mapped, said, closed)
        where cell.column_name is not null
    )
    {{ tidegate.cells_kept() }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(gate, gate.options.enums) }}
    union all
    select
        cells.row_key,
        found.level,
        found.reason,
        jsonb_build_object('column', cells.column_name, 'closed', cells.closed)
    from cells
    cross join
        lateral(
            values
                (
                    cells.mapped is null and cells.said is not null and cells.kept is null,
                    'block',
                    'value_unmapped'
                ),
                (cells.mapped <> all(cells.closed), 'block', 'value_outside_enum')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro enum_mapping_arguments() -%}
    {{-
        {
            "relations": {"quarantine": "enum_quarantine"},
            "options": {"enums": {}, "closed": {}, "quarantined_as": none},
        }
        | tojson
    -}}
{%- endmacro -%}
