-- One row a column of the given relations of one schema, in order, from pg_catalog.
-- Parameters: schema, relations (names, at most 63 bytes each). Locks: none beyond the catalogue's.
with recursive
    relation as (
        select
            pg_class.oid,
            pg_class.relname,
            pg_catalog.has_schema_privilege(pg_namespace.oid, 'usage') as reachable
        from pg_catalog.pg_class
        inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
        where pg_namespace.nspname = %(schema)s and pg_class.relname = any(%(relations)s::name[])
    ),
    columns as (
        select pg_attribute.*, relation.relname, relation.reachable
        from pg_catalog.pg_attribute
        inner join relation on relation.oid = pg_attribute.attrelid
        where pg_attribute.attnum > 0 and not pg_attribute.attisdropped
    ),
    -- a domain may stand on a domain; the last step is the type that stores the values
    domains as (
        select
            columns.attrelid,
            columns.attnum,
            1 as depth,
            pg_type.typbasetype as base,
            pg_type.typtypmod as modifier,
            pg_type.typnotnull as required
        from columns
        inner join pg_catalog.pg_type on pg_type.oid = columns.atttypid
        where pg_type.typtype = 'd'
        union all
        select
            domains.attrelid,
            domains.attnum,
            domains.depth + 1,
            pg_type.typbasetype,
            case when domains.modifier = -1 then pg_type.typtypmod else domains.modifier end,
            domains.required or pg_type.typnotnull
        from domains
        inner join pg_catalog.pg_type on pg_type.oid = domains.base
        where pg_type.typtype = 'd'
    ),
    bases as (
        select distinct on (domains.attrelid, domains.attnum) domains.*
        from domains
        order by domains.attrelid, domains.attnum, domains.depth desc
    )
select
    columns.relname as relation,
    columns.attname as name,
    pg_catalog.format_type(columns.atttypid, columns.atttypmod) as type_text,
    element_namespace.nspname as type_schema,
    element.typname as type_name,
    element.oid <> named.oid as is_array,
    element_namespace.nspname = 'pg_catalog' as is_builtin,
    pg_catalog.format_type(bases.base, bases.modifier) as base_text,
    columns.attnotnull or coalesce(bases.required, false) as required,
    -- PostgreSQL 18 knows "not null" that nobody has checked against the rows
    exists (
        select 1
        from pg_catalog.pg_constraint
        where
            pg_constraint.conrelid = columns.attrelid
            and pg_constraint.contype = 'n'
            and pg_constraint.conkey = array[columns.attnum]
            and not pg_constraint.convalidated
    ) as unchecked,
    columns.attidentity as identity,
    columns.attgenerated as generated,
    case when columns.attcollation <> named.typcollation then pg_collation.collname end as collation,
    columns.reachable
    and pg_catalog.has_column_privilege(columns.attrelid, columns.attnum, 'select') as readable
from columns
inner join pg_catalog.pg_type as named on named.oid = columns.atttypid
inner join
    pg_catalog.pg_type as element
    on element.oid = case
        when named.typelem <> 0 and named.typsubscript = 'pg_catalog.array_subscript_handler'::regproc
        then named.typelem
        else named.oid
    end
inner join
    pg_catalog.pg_namespace as element_namespace on element_namespace.oid = element.typnamespace
left join pg_catalog.pg_collation on pg_collation.oid = columns.attcollation
left join bases on bases.attrelid = columns.attrelid and bases.attnum = columns.attnum
order by columns.relname, columns.attnum
