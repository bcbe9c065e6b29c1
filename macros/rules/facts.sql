{#- What the catalogue knows of a relation, as one JSON text: its columns, which of them a constraint
    keeps from being null, and which keys a unique index proves. No row where it does not exist.
    Constraints of foreign tables, which may be partitions, are promises that nobody enforces. -#}
{%- macro rule_facts(schema, name) -%}
    select
        jsonb_build_object(
            'columns',
            coalesce(jsonb_object_agg(f.name, to_jsonb(f) order by f.position), '{}'),
            'unique_keys',
            ({{ tidegate.rule_unique_keys("min(f.relation)") }}),
            'hides_rows',
            row_security_active(min(f.relation))
        )::text as facts
    from
        (
            select
                c.oid as relation,
                a.attnum as position,
                a.attname::text as name,
                pg_catalog.format_type(a.atttypid, a.atttypmod) as sql_type,
                {{ tidegate.rule_type_family("base") }} as family,
                {{ tidegate.rule_logical_type("own") }} as logical,
                a.attnotnull
                and (
                    (c.relkind = 'r' and not c.relhassubclass)
                    or (
                        c.relkind = 'p'
                        and not exists (
                            select
                            from pg_catalog.pg_partition_tree(c.oid) as part
                            inner join pg_catalog.pg_class as leaf on leaf.oid = part.relid
                            where leaf.relkind = 'f'
                        )
                    )
                )
                and not exists (
                    select
                    from pg_catalog.pg_constraint as k
                    where
                        k.conrelid = c.oid
                        and k.contype = 'n'
                        and k.conkey = array[a.attnum]
                        and not k.convalidated
                ) as not_null
            from pg_catalog.pg_class as c
            inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
            inner join
                pg_catalog.pg_attribute as a
                on a.attrelid = c.oid
                and a.attnum > 0
                and not a.attisdropped
            inner join pg_catalog.pg_type as own on own.oid = a.atttypid
            cross join
                lateral(
                    with recursive
                        chain(oid) as (
                            select a.atttypid
                            union all
                            select t.typbasetype
                            from chain
                            inner join pg_catalog.pg_type as t on t.oid = chain.oid
                            where t.typtype = 'd'
                        )
                    select t.typname, t.typtype
                    from chain
                    inner join pg_catalog.pg_type as t on t.oid = chain.oid
                    where t.typtype <> 'd'
                ) as base
            where
                n.nspname = {{ tidegate.literal(schema) }}
                and c.relname = {{ tidegate.literal(name) }}
                and c.relkind in ('r', 'p', 'v', 'm', 'f')
        ) as f
    having count(*) > 0
{%- endmacro -%}

{#- Keys that a valid, immediate, complete unique index proves: an array of
    {columns, nulls_distinct}. Children by inheritance are not covered by their parent's index. -#}
{%- macro rule_unique_keys(relation) -%}
    select
        coalesce(
            jsonb_agg(
                jsonb_build_object('columns', k.names, 'nulls_distinct', not i.indnullsnotdistinct)
            ),
            '[]'
        )
    from pg_catalog.pg_index as i
    inner join pg_catalog.pg_class as t on t.oid = i.indrelid
    cross join
        lateral(
            select
                jsonb_agg(a.attname order by s.place) as names,
                bool_and(a.attcollation = i.indcollation[s.place]) as same_collation
            from generate_series(0, i.indnkeyatts - 1) as s(place)
            inner join
                pg_catalog.pg_attribute as a
                on a.attrelid = i.indrelid
                and a.attnum = i.indkey[s.place]
        ) as k
    where
        i.indrelid = {{ relation }}
        and i.indisunique
        and i.indisvalid
        and i.indimmediate
        and i.indpred is null
        and i.indexprs is null
        and k.same_collation
        and (t.relkind = 'p' or (t.relkind = 'r' and not t.relhassubclass))
{%- endmacro -%}

{#- The family of values of a base type; `rules/columns.py` has the same words. -#}
{%- macro rule_type_family(base) -%}
    case
        when {{ base }}.typtype = 'e'
        then 'text'
        when {{ base }}.typname in ('text', 'varchar', 'bpchar', 'name', 'citext')
        then 'text'
        when {{ base }}.typname in ('int2', 'int4', 'int8')
        then 'integer'
        when {{ base }}.typname = 'numeric'
        then 'numeric'
        when {{ base }}.typname = 'float4'
        then 'real'
        when {{ base }}.typname = 'float8'
        then 'double'
        when {{ base }}.typname in ('date', 'timestamp', 'timestamptz', 'uuid')
        then {{ base }}.typname::text
        when {{ base }}.typname = 'bool'
        then 'boolean'
        when {{ base }}.typname in ('json', 'jsonb')
        then 'json'
        else 'other'
    end
{%- endmacro -%}

{#- The logical type of a type; what is somebody's own (enums, domains, extensions) is unknown, as
    `contracts/types.py` has it. -#}
{%- macro rule_logical_type(type) -%}
    case
        when {{ type }}.typnamespace <> 'pg_catalog'::regnamespace
        then 'unknown'
        when {{ type }}.typname in ('text', 'varchar', 'bpchar', 'name', 'uuid')
        then 'string'
        when {{ type }}.typname in ('int2', 'int4', 'int8')
        then 'integer'
        when {{ type }}.typname in ('numeric', 'float4', 'float8')
        then 'number'
        when {{ type }}.typname = 'bool'
        then 'boolean'
        when {{ type }}.typname = 'date'
        then 'date'
        when {{ type }}.typname in ('timestamp', 'timestamptz')
        then 'timestamp'
        when {{ type }}.typname in ('json', 'jsonb')
        then 'json'
        else 'unknown'
    end
{%- endmacro -%}
