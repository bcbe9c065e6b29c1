{#- The relation exists and has the columns, types and (a table) nullability of its contract, and only
    values of closed enums. A column nobody documented warns. `relation`: as SQL; `columns`: mappings
    of name, data_type, nullable; `null_scan`: columns to look through for nulls, where the relation
    is a view, whose own nullability PostgreSQL does not know; `enums`: mappings of name, array and
    values, of columns that the relation has in that form. -#}
{%- macro schema_contract(relation, subject, columns, null_scan=[], enums=[]) -%}
    with
        contract as materialized({{ tidegate.contract_columns(columns) }}),
        canonical as ({{ tidegate.canonical_types("contract") }}),
        judged as (select to_regclass({{ tidegate.literal(relation) }}) as relation),
        live as (
            select
                pg_attribute.attname::text as name,
                format_type(pg_attribute.atttypid, pg_attribute.atttypmod) as data_type,
                not pg_attribute.attnotnull as nullable,
                pg_class.relkind in ('r', 'p', 'f') as is_table
            from judged
            inner join pg_catalog.pg_class on pg_class.oid = judged.relation
            inner join pg_catalog.pg_attribute on pg_attribute.attrelid = pg_class.oid
            where
                pg_attribute.attnum > 0
                and not pg_attribute.attisdropped
                and pg_attribute.attname <> '_generation'
        )
    select
        {{ tidegate.literal(subject) }}::text as row_key,
        'block'::text as level,
        'relation_missing'::text as reason,
        jsonb_build_object('relation', {{ tidegate.literal(relation) }}::text) as metadata
    from judged
    where judged.relation is null
    union all
    {{ tidegate.contract_differences() }}
    {%- if null_scan or enums %}
        union all
        {{ tidegate.contract_values(relation, null_scan, enums) }}
    {%- endif %}
{%- endmacro -%}

{#- What differs between the CTEs `canonical` and `live`, once `judged` has found the relation. -#}
{%- macro contract_differences() -%}
    select
        coalesce(canonical.name, live.name) as row_key,
        case when canonical.name is null then 'warn' else 'block' end as level,
        difference.reason,
        jsonb_build_object('contract', difference.expected, 'found', difference.found) as metadata
    from canonical
    full join live on live.name = canonical.name
    cross join
        lateral(
            values
                (canonical.name is null, 'column_undocumented', null, live.data_type),
                (live.name is null, 'column_missing', canonical.data_type, null),
                (
                    live.name = canonical.name and canonical.canonical_type is null,
                    'type_unknown',
                    canonical.data_type,
                    live.data_type
                ),
                (
                    canonical.canonical_type <> live.data_type,
                    'type_differs',
                    canonical.canonical_type,
                    live.data_type
                ),
                (
                    live.is_table and canonical.nullable <> live.nullable,
                    'nullability_differs',
                    case when canonical.nullable then 'nullable' else 'not null' end,
                    case when live.nullable then 'nullable' else 'not null' end
                )
        ) as difference(differs, reason, expected, found)
    where difference.differs and exists (select 1 from judged where judged.relation is not null)
{%- endmacro -%}

{%- macro contract_columns(columns) -%}
    {%- for column in columns %}
        select
            {{ tidegate.literal(column.name) }}::text as name,
            {{ tidegate.literal(column.data_type) }}::text as data_type,
            {{ "true" if column.nullable else "false" }} as nullable
            {{- " union all " if not loop.last }}
    {%- else %} select null::text as name, null::text as data_type, true as nullable where false
    {%- endfor %}
{%- endmacro -%}

{#- What the rows of a relation show, counted in one scan: nulls, and values outside closed enums; of
    an array every member counts. The values themselves are never selected. -#}
{%- macro contract_values(relation, null_scan, enums) -%}
    select
        found.name, 'block'::text, found.reason, jsonb_build_object(found.counted, found.found_rows)
    from
        (
            select
                {%- for column in null_scan %}
                    count(*) filter (
                        where scanned.{{ tidegate.identifier(column) }} is null
                    ) as nulls_{{ loop.index }}
                    {{- "," if enums or not loop.last }}
                {%- endfor %}
                {%- for item in enums %}
                    {%- set value = "scanned." ~ tidegate.identifier(item.name) %}
                    count(*) filter (
                        where
                            {% if item.array -%}
                                not {{ value }}::text[] <@ {{ tidegate.text_array(item["values"]) }}
                            {%- else -%}
                                {{ value }} is not null
                                and {{ value }}::text
                                <> all({{ tidegate.text_array(item["values"]) }})
                            {%- endif %}
                    ) as outside_{{ loop.index }}
                    {{- "," if not loop.last }}
                {%- endfor %}
            from {{ relation }} as scanned
        ) as totals
    cross join
        lateral(
            values
                {%- for column in null_scan %}
                    (
                        {{ tidegate.literal(column) }}::text,
                        'nulls_present'::text,
                        'nulls'::text,
                        totals.nulls_{{ loop.index }}
                    )
                    {{- "," if enums or not loop.last }}
                {%- endfor %}
                {%- for item in enums %}
                    (
                        {{ tidegate.literal(item.name) }}::text,
                        'value_outside_enum'::text,
                        'rows'::text,
                        totals.outside_{{ loop.index }}
                    )
                    {{- "," if not loop.last }}
                {%- endfor %}
        ) as found(name, reason, counted, found_rows)
    where found.found_rows > 0
{%- endmacro -%}
