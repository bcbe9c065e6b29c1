{#- A search row leads to a q_* model that exists and to a row of it with a receipt. `gate.models`: names
    of the models that exist; `gate.receipts`: the provenance relations of all families, as SQL. -#}
{%- macro search_provenance(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, ["source_q_model_name", "source_q_row_key"]) -%}
    {{ tidegate.gate_rows(gate, {
        "source_q_model_name": "text", "source_q_row_key": "text", "indexed_at": "timestamptz",
    }) }},
    receipts(model_name, row_key, recorded_at) as (
        -- Nothing leads to a row of nulls: without any receipt there still is a table.
        select null::text, null::text, null::timestamptz
        {%- for relation in gate.receipts %}
            union all
            select receipt.model_name::text, receipt.row_key::text, receipt.recorded_at::timestamptz
            from {{ relation }} as receipt
        {%- endfor %}
    ),
    traced as (
        select
            judged.*,
            (judged.source_q_model_name = any({{ tidegate.text_array(gate.models) }}))
            is true as known,
            source.recorded_at,
            source.found
        from judged
        left join
            (
                select
                    receipts.model_name,
                    receipts.row_key,
                    max(receipts.recorded_at) as recorded_at,
                    true as found
                from receipts
                group by receipts.model_name, receipts.row_key
            ) as source
            on source.model_name = judged.source_q_model_name
            and source.row_key = judged.source_q_row_key
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(tidegate.search_provenance_findings(), metadata, "traced") }}
{%- endmacro -%}

{#- Rows of a view that unites the receipts of all families (`query.q_provenance`), of these models. -#}
{%- macro receipts_of(relation, models) -%}
    (
        select *
        from {{ relation }} as receipts
        where model_name = any({{ tidegate.text_array(models) }})
    )
{%- endmacro -%}

{%- macro search_provenance_findings() -%}
    values
        (not judged.known, 'block', 'source_model_missing'),
        (judged.known and judged.found is null, 'block', 'source_receipt_missing'),
        (judged.indexed_at < judged.recorded_at, 'warn', 'index_stale')
{%- endmacro -%}

{%- macro search_provenance_arguments() -%}
    {{- {"relations": {}, "options": {}} | tojson -}}
{%- endmacro -%}
