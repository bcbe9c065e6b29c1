-- Who else holds a lock on one of some relations, the longest first. A prepared transaction has no
-- process: its locks stand under a virtual transaction of `-1/<xid>`.
-- Parameters: schemas, names (text arrays of one length). Columns: description.
with wanted as (
    select class.oid
    from unnest(%(schemas)s::text[], %(names)s::text[]) as given (schema_name, relation_name)
    inner join pg_catalog.pg_namespace as space on space.nspname = given.schema_name
    inner join pg_catalog.pg_class as class
        on class.relnamespace = space.oid and class.relname = given.relation_name
),

held as (
    select distinct locks.pid, locks.virtualtransaction
    from pg_catalog.pg_locks as locks
    inner join wanted on wanted.oid = locks.relation
    where
        locks.granted
        and locks.pid is distinct from pg_backend_pid()
        and locks.database = (
            select oid from pg_catalog.pg_database where datname = current_database()
        )
),

aged as (
    select
        held.pid,
        greatest(
            0,
            extract(epoch from clock_timestamp() - coalesce(activity.xact_start, prepared.prepared))
        )::bigint as seconds
    from held
    left join pg_catalog.pg_stat_activity as activity on activity.pid = held.pid
    left join pg_catalog.pg_prepared_xacts as prepared
        on held.pid is null and held.virtualtransaction = '-1/' || prepared.transaction::text
)

select
    case
        when aged.pid is null then format('a prepared transaction (%%s s old)', aged.seconds)
        when aged.seconds is null then format('process %%s', aged.pid)
        else format('process %%s (transaction open for %%s s)', aged.pid, aged.seconds)
    end as description
from aged
order by aged.seconds desc nulls last, aged.pid
