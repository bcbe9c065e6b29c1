{#- Values of the source that lie outside a closed enum of a contract. `watched` is a list of
    (model name, staged relation, row key, columns); a staged relation has the words of the source
    as `source_<column>` beside each mapped column. -#}
{%- macro unmapped_values(watched) -%}
    {%- for model_name, staged, key, columns in watched %}
        {%- set outer_loop = loop %}
        {%- for column in columns %}
            select distinct
                {{ tidegate.literal(model_name) }}::text as relation_name,
                {{ tidegate.row_key(key, "staged") }} as row_key,
                {{ tidegate.literal(column) }}::text as column_name,
                staged.{{ tidegate.identifier("source_" ~ column) }} as source_value,
                'not_in_closed_enum'::text as reason,
                staged.source_artifact_key,
                staged.received_at as quarantined_at
            from {{ staged }} as staged
            where
                staged.{{ tidegate.identifier("source_" ~ column) }} is not null
                and staged.{{ tidegate.identifier(column) }} is null
            {% if not (loop.last and outer_loop.last) %}
                union all
            {% endif %}
        {%- endfor %}
    {%- endfor %}
{%- endmacro -%}
