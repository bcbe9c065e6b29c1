-- What retention would remove besides accepted rows, and why it stays if it does. Only what is older
-- than the dataset's contract says is listed; a dataset without a contract keeps everything.
with policies as (
    select p.dataset, p.artifacts_days, p.quarantine_days
    from unnest(
        %(datasets)s::text[], %(artifacts_days)s::integer[], %(quarantine_days)s::integer[]
    ) as p (dataset, artifacts_days, quarantine_days)
),

facts as (
    select
        d.delivery_id,
        d.dataset,
        d.artifact_sha256,
        (
            select max(r.started_at)
            from governance.runs as r
            where r.delivery_id = d.delivery_id and r.origin = 'delivery'
        ) as last_received,
        (
            select min(h.hold_id)
            from governance.delivery_holds as h
            where
                h.released_at is null
                and h.dataset = d.dataset
                and (h.delivery_id is null or h.delivery_id = d.delivery_id)
        ) as hold_id,
        (
            select min(r.run_id)
            from governance.runs as r
            where r.delivery_id = d.delivery_id and r.finished_at is null
        ) as open_run,
        (
            select count(*)
            from governance.quarantine as q
            where q.delivery_id = d.delivery_id and q.state = 'held'
        ) as held,
        p.artifacts_days,
        p.quarantine_days
    from governance.deliveries as d
    left join policies as p on p.dataset = d.dataset
),

stages as (
    select
        r.delivery_id,
        r.run_id,
        sum(pg_total_relation_size(c.oid))::bigint as bytes
    from pg_class as c
    inner join pg_namespace as n on n.oid = c.relnamespace and n.nspname = 'landing_stage'
    inner join governance.runs as r on r.run_id = substring(c.relname from '^r([0-9]+)')::bigint
    inner join policies as p on p.dataset = r.dataset
    where
        c.relkind = 'r'
        and not exists (
            select from governance.delivery_prunings as told
            where told.kind = 'stage' and told.run_id = r.run_id
        )
        and c.relname ~ '^r[0-9]{1,18}(_held)?$'
        and r.finished_at < %(at)s::timestamptz - make_interval(days => p.quarantine_days)
    group by r.delivery_id, r.run_id
),

held_values as (
    select
        v.delivery_id,
        count(*) as records,
        sum(v.bytes) as bytes
    from (
        select q.delivery_id, q.dataset, q.last_seen as seen, octet_length(q.raw) as bytes
        from governance.quarantine as q
        where q.pruned_at is null
        union all
        select e.delivery_id, e.dataset, e.quarantined_at as seen, 0 as bytes
        from governance.enum_quarantine as e
        where e.pruned_at is null
    ) as v
    inner join policies as p on p.dataset = v.dataset
    where v.seen < %(at)s::timestamptz - make_interval(days => p.quarantine_days)
    group by v.delivery_id
),

found as (
    select
        'stage' as kind,
        array[f.dataset] as datasets,
        f.delivery_id,
        s.run_id,
        null::text as sha256,
        0::bigint as records,
        s.bytes,
        case when f.hold_id is not null then 'hold ' || f.hold_id end as kept_because
    from stages as s
    inner join facts as f on f.delivery_id = s.delivery_id
    union all
    select
        'quarantine',
        array[f.dataset],
        f.delivery_id,
        null,
        null,
        v.records,
        v.bytes::bigint,
        case
            when f.hold_id is not null then 'hold ' || f.hold_id
            when f.open_run is not null then 'run ' || f.open_run || ' is not over'
        end
    from held_values as v
    inner join facts as f on f.delivery_id = v.delivery_id
    union all
    select
        'artifact',
        array_agg(distinct f.dataset),
        max(f.delivery_id),
        null,
        a.sha256,
        0,
        a.bytes,
        case
            when min(f.hold_id) is not null then 'hold ' || min(f.hold_id)
            when min(f.open_run) is not null then 'run ' || min(f.open_run) || ' is not over'
            when sum(f.held) > 0 then sum(f.held) || ' held records may need it'
        end
    from governance.artifacts as a
    inner join facts as f on f.artifact_sha256 = a.sha256
    where a.pruned_at is null
    group by a.sha256, a.bytes
    having
        bool_and(
            f.artifacts_days is not null
            and f.last_received < %(at)s::timestamptz - make_interval(days => f.artifacts_days)
        )
)

select kind, datasets, delivery_id, run_id, sha256, records, bytes, coalesce(kept_because, '')
from found
where %(only)s::text is null or %(only)s = any(datasets)
order by kind, delivery_id, run_id, sha256
