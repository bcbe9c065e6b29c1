{#- Dates of the source that could not be read. `watched` is a list of (model name, staged relation,
    the relation with the rows' receipts, the key of both, date column to the column of its text). -#}
{%- macro unreadable_dates(watched) -%}
    {%- for model_name, staged, attested, key, dates in watched %}
        {%- set outer_loop = loop %}
        {%- for column, said in dates.items() %}
            select
                {{ tidegate.literal(model_name) }}::text as relation_name,
                staged.{{ tidegate.identifier(key) }} as row_key,
                {{ tidegate.literal(column) }}::text as column_name,
                staged.{{ tidegate.identifier(said) }} as source_value,
                'not_a_date'::text as reason,
                attested.source_artifact_key,
                attested.received_at as quarantined_at
            from {{ staged }} as staged
            inner join
                {{ attested }} as attested
                on attested.{{ tidegate.identifier(key) }} = staged.{{ tidegate.identifier(key) }}
            where
                staged.{{ tidegate.identifier(said) }} is not null
                and staged.{{ tidegate.identifier(column) }} is null
            {% if not (loop.last and outer_loop.last) %}
                union all
            {% endif %}
        {%- endfor %}
    {%- endfor %}
{%- endmacro -%}
