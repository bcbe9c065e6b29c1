-- Generations that nothing serves, oldest first, and why one stays (empty: it may go).
-- Parameters: families, keeps (arrays), default_keep, family (null: all).
-- Lock: none. A snapshot from before the head left a generation may still look at it: its xmin is
-- not after the transaction that moved the head.
-- Snapshots of other databases cannot look here; a standby's (without a database) can.
-- Positions are 64-bit: what pg_stat_activity shows wraps around, so it is counted back from now.
with oldest_snapshot as (
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - max(age) - 1 as position
    from (
        select age(backend_xmin) as age
        from pg_catalog.pg_stat_activity
        where backend_xmin is not null and pid <> pg_backend_pid()
            and coalesce(datname, current_database()) = current_database()
        union all
        select age(transaction) from pg_catalog.pg_prepared_xacts
        where database = current_database()
        union all
        select age(xmin) from pg_catalog.pg_replication_slots
        where xmin is not null and coalesce(database, current_database()) = current_database()
    ) as every_snapshot
),

kept as (
    select unnest(%(families)s::text[]) as family, unnest(%(keeps)s::integer[]) as keep
),

every_generation as (
    select
        generations.family,
        generations.generation,
        generations.state,
        heads.generation as served,
        count(*) filter (where generations.state = 'published')
            over (partition by generations.family order by generations.generation desc) as newer,
        coalesce(kept.keep, %(default_keep)s) as keep,
        (
            select max(moves.transaction_id::text::bigint)
            from governance.head_moves as moves
            where moves.family = generations.family
                and moves.from_generation = generations.generation
        ) as left_at
    from governance.generations as generations
    left join governance.serving_heads as heads on heads.family = generations.family
    left join kept on kept.family = generations.family
    where generations.state <> 'pruned'
)

select
    every_generation.family,
    every_generation.generation,
    every_generation.state,
    coalesce(sizes.tables, 0)::integer as tables,
    coalesce(sizes.bytes, 0)::bigint as bytes,
    case
        when holds.reason is not null then holds.kind || ' hold: ' || holds.reason
        when every_generation.state in ('candidate_materialized', 'checks_passing')
            then 'it is being judged'
        when every_generation.state = 'published'
            and every_generation.newer <= every_generation.keep + 1 then 'retention keeps it'
        when every_generation.left_at >= oldest_snapshot.position
            then 'a running transaction may still read it'
        else ''
    end as kept_because
from every_generation
cross join oldest_snapshot
left join lateral (
    select count(*) as tables, sum(pg_total_relation_size(class.oid)) as bytes
    from pg_catalog.pg_class as class
    where class.relnamespace = to_regnamespace(quote_ident(
            every_generation.family || '__g' || lpad(every_generation.generation::text, 6, '0')))
        and class.relkind = 'r'
) as sizes on true
left join lateral (
    select open_holds.kind, open_holds.reason
    from governance.generation_holds as open_holds
    where open_holds.family = every_generation.family
        and open_holds.generation = every_generation.generation
        and open_holds.released_at is null
    order by open_holds.kind
    limit 1
) as holds on true
where every_generation.generation is distinct from every_generation.served
    and (%(family)s::text is null or every_generation.family = %(family)s)
order by every_generation.family, every_generation.generation
