-- Objects that depend on a view in `query` and are not part of it: other views, materialized
-- views, functions, and tables of its row type.
-- Parameters: name. Columns: description (text, as the server describes the object).
with view_of_name as (
    select class.oid, class.reltype, type.typarray
    from pg_catalog.pg_class as class
    inner join pg_catalog.pg_type as type on type.oid = class.reltype
    where class.relnamespace = 'query'::regnamespace and class.relname = %(name)s
)

select distinct
    case
        when depend.classid = 'pg_rewrite'::regclass
            then pg_describe_object('pg_class'::regclass, rewrite.ev_class, 0)
        else pg_describe_object(depend.classid, depend.objid, 0)
    end as description
from view_of_name as view
inner join pg_catalog.pg_depend as depend
    on (depend.refclassid = 'pg_class'::regclass and depend.refobjid = view.oid)
    or (depend.refclassid = 'pg_type'::regclass
        and depend.refobjid in (view.reltype, view.typarray))
left join pg_catalog.pg_rewrite as rewrite
    on depend.classid = 'pg_rewrite'::regclass and rewrite.oid = depend.objid
where
    depend.deptype in ('n', 'a')
    and not (depend.classid = 'pg_rewrite'::regclass and rewrite.ev_class = view.oid)
    and not (depend.classid = 'pg_class'::regclass and depend.objid = view.oid)
    and not (depend.classid = 'pg_type'::regclass
        and depend.objid in (view.reltype, view.typarray))
order by 1
