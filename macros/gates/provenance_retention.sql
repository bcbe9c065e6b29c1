{#- Every row still says which artefact it was read from. Option: `needed`, the columns that say so. -#}
{%- macro provenance_retention(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }},
    retained as (
        select
            {{ tidegate.row_key(gate.row_key, "checked") }} as row_key,
            {{ tidegate.blank_columns("checked", gate.options.needed) }} as missing
        from checked
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_undeclared(gate, gate.options.needed) }}
    union all
    select
        retained.row_key, found.level, found.reason, jsonb_build_object('missing', retained.missing)
    from retained
    cross join
        lateral(values (cardinality(retained.missing) > 0, 'block', 'provenance_lost')) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{%- macro provenance_retention_arguments() -%}
    {{-
        {
            "relations": {},
            "options": {"needed": ["source_artifact_key", "content_sha256", "immutable_uri"]},
        }
        | tojson
    -}}
{%- endmacro -%}
