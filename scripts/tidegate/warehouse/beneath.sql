-- Some relations, and everything that views among them select from, however deep.
-- Parameters: schemas, names (text arrays of one length). Columns: schema, name.
with recursive reached (oid) as (
    select class.oid
    from unnest(%(schemas)s::text[], %(names)s::text[]) as given (schema_name, relation_name)
    inner join pg_catalog.pg_namespace as space on space.nspname = given.schema_name
    inner join pg_catalog.pg_class as class
        on class.relnamespace = space.oid and class.relname = given.relation_name
    union
    select depends.refobjid
    from reached
    inner join pg_catalog.pg_rewrite as rule on rule.ev_class = reached.oid
    inner join pg_catalog.pg_depend as depends
        on
            depends.classid = 'pg_catalog.pg_rewrite'::regclass
            and depends.objid = rule.oid
            and depends.refclassid = 'pg_catalog.pg_class'::regclass
)

select space.nspname, class.relname
from reached
inner join pg_catalog.pg_class as class on class.oid = reached.oid
inner join pg_catalog.pg_namespace as space on space.oid = class.relnamespace
order by 1, 2
