-- The relations of one schema that the given views of another select from, directly.
-- Parameters: schema, views (names), source_schema.
select distinct view.relname as view, source.relname as source
from pg_catalog.pg_class as view
inner join pg_catalog.pg_namespace as view_schema on view_schema.oid = view.relnamespace
inner join pg_catalog.pg_rewrite on pg_rewrite.ev_class = view.oid
inner join
    pg_catalog.pg_depend
    on pg_depend.classid = 'pg_catalog.pg_rewrite'::regclass
    and pg_depend.objid = pg_rewrite.oid
    and pg_depend.refclassid = 'pg_catalog.pg_class'::regclass
inner join pg_catalog.pg_class as source on source.oid = pg_depend.refobjid
inner join pg_catalog.pg_namespace as source_schema on source_schema.oid = source.relnamespace
where
    view_schema.nspname = %(schema)s
    and view.relname = any(%(views)s::name[])
    and source_schema.nspname = %(source_schema)s
    and source.oid <> view.oid
order by view, source
