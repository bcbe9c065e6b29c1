-- The relations of a schema that hold rows, without the partitions of partitioned tables.
-- Parameters: schema (a name, at most 63 bytes).
select pg_class.relname, pg_class.relkind
from pg_catalog.pg_class
inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
where
    pg_namespace.nspname = %(schema)s
    and pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
    and not pg_class.relispartition
order by pg_class.relname
