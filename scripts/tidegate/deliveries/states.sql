select
    latest.delivery_id,
    (
        select count(*)
        from governance.runs as r
        where r.dataset = wanted.dataset and r.status = 'parked'
    ) as parked,
    (
        select count(*)
        from governance.quarantine_index as q
        where q.dataset = wanted.dataset and q.state = 'held'
    ) as held,
    -- Null where rows may have moved to another layout, or gone.
    (
        select coalesce(sum(m.rows), 0)::bigint
        from governance.materializations as m
        where
            m.dataset = wanted.dataset
            and (not wanted.newest_only or m.delivery_id = latest.delivery_id)
        having
            (
                select count(*)
                from governance.landing_layouts as l
                where l.dataset = wanted.dataset
            ) = 1
            and not exists (
                select
                from governance.delivery_prunings as p
                where p.dataset = wanted.dataset and p.kind = 'rows'
            )
    ) as accepted
from
    unnest(%(datasets)s::text[], %(newest_only)s::boolean[])
    with ordinality as wanted (dataset, newest_only, place)
cross join lateral (
    select max(m.delivery_id) as delivery_id
    from governance.materializations as m
    where m.dataset = wanted.dataset and m.origin = 'delivery'
) as latest
order by wanted.place
