{#- A word of the source for a closed enum is mapped to it, or stands in the quarantine: never lost,
    never a default. Options: `enums`, column to the column with the source's own words
    (a list: `source_<column>`), `arrays`, the same of columns that hold several; `closed`,
    column to the values it may have (in dbt those that the contract of the model `quarantined_as`
    gives it); `quarantined_as`, the relation's name in the quarantine (none: its own). -#}
{%- macro enum_mapping(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }}
    {{ tidegate.quarantined(gate) }},
    said as (
        select {{ tidegate.row_key(gate.row_key, "checked") }} as row_key, cell.*
        from checked
        cross join
            lateral(
                values
                    (null::text, null::boolean, null::text[], null::text[])
                    {{- tidegate.mapped_cells(gate, gate.options.enums, false) }}
                    {{- tidegate.mapped_cells(gate, gate.options.arrays, true) }}
            ) as cell(column_name, lost, held, closed)
        where cell.column_name is not null
    )
    {{ tidegate.cells_kept() }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(gate, gate.options.enums or gate.options.arrays) }}
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
                (cells.lost and cells.kept is null, 'block', 'value_unmapped'),
                (not cells.held <@ cells.closed, 'block', 'value_outside_enum')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- For each column a row of values: its name, whether a word of the source is lost, the words that it
    holds, and the closed enum. Of an array each member is such a word. -#}
{%- macro mapped_cells(gate, enums, many) -%}
    {%- for name in enums -%}
        {%- set mapped = "checked." ~ tidegate.identifier(name) -%}
        {%- set said = "checked." ~ tidegate.identifier(enums[name] if enums is mapping else "source_" ~ name) -%}
        {%- set known = gate.options.closed.get(name) -%}
        {%- set closed = tidegate.text_array(known) if known else "null::text[]" -%},
        (
            {{ tidegate.literal(name) }},
            {%- if many %}
                not array_remove({{ said }}::text[], null)
                <@ coalesce({{ mapped }}::text[], array[]::text[]),
                {{ mapped }}::text[],
            {%- else %}
                {{ mapped }} is null and {{ said }} is not null,
                array_remove(array[{{ mapped }}::text], null),
            {%- endif %}
            {{ closed }}
        )
    {%- endfor -%}
{%- endmacro -%}

{%- macro enum_mapping_arguments() -%}
    {{-
        {
            "relations": {"quarantine": "enum_quarantine"},
            "options": {"enums": {}, "arrays": {}, "closed": {}, "quarantined_as": none},
        }
        | tojson
    -}}
{%- endmacro -%}
