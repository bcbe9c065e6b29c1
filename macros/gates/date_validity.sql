{#- A date of the source is a day of the calendar within reason, or its text stands in the quarantine
    that `relations.quarantine` names. Options: `dates`, column to the column with the source's own
    text (none: there is no such); `earliest` and `latest`; `quarantined_as`, the relation's name in
    the quarantine (none: its own). -#}
{%- macro date_validity(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }}
    {{ tidegate.quarantined(gate) }},
    said as (
        select {{ tidegate.row_key(gate.row_key, "checked") }} as row_key, cell.*
        from checked
        cross join
            lateral(
                values
                    (null::text, null::date, null::text)
                    {%- for name, said in gate.options.dates.items() %}
                        ,
                        (
                            {{ tidegate.literal(name) }},
                            checked.{{ tidegate.identifier(name) }}::date,
                            {{ "checked." ~ tidegate.identifier(said) if said else "null" }}::text
                        )
                    {%- endfor %}
            ) as cell(column_name, day, said)
        where cell.column_name is not null
    )
    {{ tidegate.cells_kept() }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(gate, gate.options.dates) }}
    union all
    select cells.row_key, found.level, found.reason, jsonb_build_object('column', cells.column_name)
    from cells
    cross join
        lateral(
            values
                (
                    cells.day not between {{ tidegate.literal(gate.options.earliest) }}::date
                    and {{ tidegate.literal(gate.options.latest) }}::date,
                    'block',
                    'date_out_of_range'
                ),
                (
                    cells.day is null and cells.said is not null and cells.kept is null,
                    'block',
                    'date_unreadable'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro date_validity_arguments() -%}
    {{-
        {
            "relations": {"quarantine": none},
            "options": {
                "dates": {},
                "earliest": "1900-01-01",
                "latest": "2100-12-31",
                "quarantined_as": none,
            },
        }
        | tojson
    -}}
{%- endmacro -%}
