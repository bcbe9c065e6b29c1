{#- Rows that point at published rows of other families. An entry is a mapping: `model`, `key` (its row
    key) and `kind`, and SQL over `source` of each column in `columns` (name: SQL). -#}
{%- macro pointing_rows(prefix, entries) -%}
    {%- for entry in entries %}
        select
            {{ tidegate.literal(prefix ~ ":" ~ entry.model.identifier ~ ":") }}
            || {{ tidegate.row_key(entry.key, "source") }} as pointer_key,
            {{ tidegate.literal(entry.model.identifier) }}::text as source_q_model_name,
            {{ tidegate.row_key(entry.key, "source") }} as source_q_row_key,
            {{ tidegate.literal(entry.kind) }}::text as entity_kind
            {%- for name, value in entry.columns.items() %}
                , ({{ value }}) as {{ tidegate.identifier(name) }}
            {%- endfor %}
        from {{ tidegate.published(entry.model) }} as source
        {%- if entry.get("where") %} where {{ entry.where }} {%- endif %}
        {% if not loop.last %}
            union all
        {% endif %}
    {%- endfor %}
{%- endmacro -%}
