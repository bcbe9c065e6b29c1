{#- No delivery brings a source key twice, and none without it. The key is the row key of the test: in
    dbt the key that the dataset's delivery declares, unless the test has its own. Column:
    `_delivery_id`; none where the relation is one delivery. -#}
{%- macro source_key_uniqueness(gate) -%}
    {{ tidegate.gate_rows(gate, {"_delivery_id": "bigint"}) }},
    keyed as (
        select
            {{ tidegate.row_key(gate.row_key, "checked") }} as row_key,
            {%- set delivery = gate.columns.get("_delivery_id", "_delivery_id") %}
            {{ "checked." ~ tidegate.identifier(delivery) if delivery else "null" }}::bigint
            as of_delivery,
            count(*) as copies,
            bool_or(
                {%- for column in gate.row_key %}
                    checked.{{ tidegate.identifier(column) }} is null {{- " or " if not loop.last }}
                {%- endfor %}
            ) as incomplete
        from checked
        group by
            {%- for column in gate.row_key %}
                checked.{{ tidegate.identifier(column) }},
            {%- endfor %}
            of_delivery
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        keyed.row_key,
        found.level,
        found.reason,
        jsonb_build_object('delivery_id', keyed.of_delivery, 'copies', keyed.copies)
    from keyed
    cross join
        lateral(
            values
                (keyed.copies > 1 and not keyed.incomplete, 'block', 'source_key_duplicated'),
                (keyed.incomplete, 'block', 'source_key_missing')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro source_key_uniqueness_arguments() -%}
    {{- {"relations": {}, "options": {}} | tojson -}}
{%- endmacro -%}
