{#- The cells that stand in the quarantine of a gate, as the common table `kept`. -#}
{%- macro quarantined(gate) -%}
    {{ tidegate.gate_relation(gate, "quarantine", {
        "relation_name": "text", "row_key": "text", "column_name": "text",
    }) }},
    kept as (
        select distinct quarantine.row_key, quarantine.column_name
        from quarantine
        where
            quarantine.relation_name
            = {{ tidegate.literal(gate.options.quarantined_as or gate.subject) }}
    )
{%- endmacro -%}

{#- The cells of the common table `said` as `cells`, with the row key under which each is kept; null
    where it is not. -#}
{%- macro cells_kept() -%}
    ,
    cells as (
        select said.*, kept.row_key as kept
        from said
        left join kept on kept.row_key = said.row_key and kept.column_name = said.column_name
    )
{%- endmacro -%}
