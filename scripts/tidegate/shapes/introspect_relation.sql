-- One relation of a kind that holds rows: its relkind, and whether it is a partition.
-- Parameters: schema, relation (names, at most 63 bytes each).
select pg_class.relkind as kind, pg_class.relispartition as partition
from pg_catalog.pg_class
inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
where
    pg_namespace.nspname = %(schema)s
    and pg_class.relname = %(relation)s
    and pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
