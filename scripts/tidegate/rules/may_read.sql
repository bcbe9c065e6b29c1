-- Whether a role may read the given columns of a relation; no row where either does not exist.
select
    pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')
    and not exists (
        select
        from pg_catalog.unnest(%(fields)s::text[]) as f (name)
        left join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attname = f.name
        where
            case
                when a.attnum is null then true
                else not pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'select')
            end
    )
from pg_catalog.pg_roles as r
cross join pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where r.rolname = %(role)s and n.nspname = %(schema)s and c.relname = %(name)s
