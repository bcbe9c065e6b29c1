{#- Every physical column of every q_* relation in the schema has a complete row in the catalogue.
    `schema`: its name; `catalog`: the catalogue's relation as SQL. -#}
{%- macro catalog_contract_coverage(schema, catalog, subject, when_empty="block") -%}
    {%- set required = ["contract_version", "description", "grain", "owner", "provenance_policy"] -%}
    with
        physical as ({{ tidegate.physical_columns(schema) }}),
        checked as (
            select physical.model_name
            from physical
            where exists (select 1 from {{ catalog }} as catalog)
        )
        {{ tidegate.not_evaluated("checked", subject, when_empty) }}
    union all
    select
        physical.model_name || '.' || physical.column_name as row_key,
        'block'::text as level,
        case
            when catalog.model_name is null then 'catalog_row_missing' else 'catalog_row_incomplete'
        end as reason,
        jsonb_build_object(
            'model', physical.model_name, 'column', physical.column_name, 'missing', lacking.keys
        ) as metadata
    from physical
    left join
        {{ catalog }} as catalog
        on catalog.model_name = physical.model_name
        and catalog.column_name = physical.column_name
    cross join
        lateral(
            select array_agg(needed.key order by needed.ordinal) as keys
            from
                (
                    values
                        {%- for key in required %}
                            (
                                {{ loop.index }},
                                {{ tidegate.literal(key) }}::text,
                                catalog.{{ tidegate.identifier(key) }}::text
                            )
                            {{- "," if not loop.last }}
                        {%- endfor %}
                ) as needed(ordinal, key, value)
            where coalesce(btrim(needed.value), '') = ''
        ) as lacking
    where lacking.keys is not null and exists (select 1 from checked)
{%- endmacro -%}

{#- Columns of the q_* relations of a schema, without what dbt is building and what the harness adds. -#}
{%- macro physical_columns(schema) -%}
    select pg_class.relname::text as model_name, pg_attribute.attname::text as column_name
    from pg_catalog.pg_namespace
    inner join pg_catalog.pg_class on pg_class.relnamespace = pg_namespace.oid
    inner join pg_catalog.pg_attribute on pg_attribute.attrelid = pg_class.oid
    where
        pg_namespace.nspname = {{ tidegate.literal(schema) }}
        and pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
        and pg_class.relname ~ '^q_'
        and pg_class.relname !~ '__dbt_(tmp|backup)[0-9]*$'
        and pg_attribute.attnum > 0
        and not pg_attribute.attisdropped
        and pg_attribute.attname <> '_generation'
{%- endmacro -%}

{#- How many columns the gate looks at. -#}
{%- macro physical_column_count(schema) -%}
    select count(*) from ({{ tidegate.physical_columns(schema) }}) as physical
{%- endmacro -%}
