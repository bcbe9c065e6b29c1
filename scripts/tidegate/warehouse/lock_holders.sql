-- Who else holds a lock on some relations, the longest first. A prepared transaction has no
-- process: its locks stand under a virtual transaction of `-1/<xid>`.
-- Parameters: schemas, names (text arrays of one length; a name of null is every relation of its
-- schema), modes (of the locks that count, or null for all). Columns: description, relation (the
-- first of those that it holds).
with wanted as (
    select distinct class.oid, format('%%s.%%s', space.nspname, class.relname) as relation
    from unnest(%(schemas)s::text[], %(names)s::text[]) as given (schema_name, relation_name)
    inner join pg_catalog.pg_namespace as space on space.nspname = given.schema_name
    inner join pg_catalog.pg_class as class
        on
            class.relnamespace = space.oid
            and class.relname = coalesce(given.relation_name, class.relname)
),

held as (
    select locks.pid, locks.virtualtransaction, min(wanted.relation) as relation
    from pg_catalog.pg_locks as locks
    inner join wanted on wanted.oid = locks.relation
    where
        locks.granted
        and locks.pid is distinct from pg_backend_pid()
        and locks.mode = any(coalesce(%(modes)s::text[], array[locks.mode]))
        and locks.database = (
            select oid from pg_catalog.pg_database where datname = current_database()
        )
    group by 1, 2
),

aged as (
    select
        held.pid,
        held.relation,
        nullif(activity.application_name, '') as application,
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
        else
            format('process %%s', aged.pid)
            || coalesce(
                format(
                    ' (%%s)',
                    nullif(
                        concat_ws(
                            ', ',
                            aged.application,
                            'transaction open for ' || aged.seconds || ' s'
                        ),
                        ''
                    )
                ),
                ''
            )
    end as description,
    aged.relation
from aged
order by aged.seconds desc nulls last, aged.pid
