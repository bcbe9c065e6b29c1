-- The given relations of a kind that holds rows: relkind, and whether each is a partition.
-- Parameters: schema, relations (names, at most 63 bytes each).
select pg_class.relname as relation, pg_class.relkind as kind, pg_class.relispartition as partition
from pg_catalog.pg_class
inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
where
    pg_namespace.nspname = %(schema)s
    and pg_class.relname = any(%(relations)s::name[])
    and pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
