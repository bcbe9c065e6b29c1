{#- What other sources say of the same statements, as a common table. -#}
{%- macro authority_compared(gate) -%}
    {%- set types = {"row_key": "text"} -%}
    {%- for name in tidegate.compared_columns().split() -%}
        {%- set _ = types.update({name: "text"}) -%}
    {%- endfor -%}
    {%- if "compared" in gate.relations -%}
        {{ tidegate.gate_relation(gate, "compared", types) }}
    {%- endif -%}
{%- endmacro -%}

{%- macro compared_columns() -%}
    conflict_role fact_path value unit source_authority_tier
    compared_model compared_keys compared_values compared_units compared_tier
{%- endmacro -%}

{#- Statements of which another source says otherwise: both are published, and it is told. -#}
{%- macro authority_conflicts(gate) -%}
    {%- set names = [] -%}
    {%- for name in tidegate.compared_columns().split() -%}
        {%- set _ = names.append("compared." ~ name) -%}
    {%- endfor -%}
    {%- if "compared" in gate.relations -%}
        union all
        select
            judged.row_key,
            'warn',
            'sources_conflict',
            {{ tidegate.gate_metadata(gate, names) }} || jsonb_build_object(
                'model', {{ tidegate.literal(gate.subject) }}::text, 'publication_continues', true
            )
        from judged
        inner join compared on compared.row_key = judged.row_key
        where compared.conflict_role = 'conflicting'
    {%- endif -%}
{%- endmacro -%}
