-- Everything granted on a view in `query` and on its columns.
-- Parameters: name. Columns: grantee (null: public), privilege, grantable, column_name (null: view).
-- Lock: none beyond the catalogue's own.
with view_of_name as (
    select class.oid, class.relacl, class.relowner
    from pg_catalog.pg_class as class
    where class.relnamespace = 'query'::regnamespace and class.relname = %(name)s
),

granted as (
    select acl.grantee, acl.privilege_type, acl.is_grantable, null::name as column_name
    from view_of_name as view
    cross join lateral aclexplode(coalesce(view.relacl, acldefault('r', view.relowner))) as acl
    where acl.grantee <> view.relowner
    union all
    select acl.grantee, acl.privilege_type, acl.is_grantable, attribute.attname as column_name
    from view_of_name as view
    inner join pg_catalog.pg_attribute as attribute
        on attribute.attrelid = view.oid and attribute.attnum > 0 and not attribute.attisdropped
    cross join lateral aclexplode(attribute.attacl) as acl
    where acl.grantee <> view.relowner
)

select
    role.rolname as grantee, granted.privilege_type, granted.is_grantable, granted.column_name
from granted
left join pg_catalog.pg_roles as role on role.oid = granted.grantee
order by 1, 2, 3, 4
