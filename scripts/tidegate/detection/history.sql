-- One run as detectors see it, and the newest comparable runs before it: accepted deliveries of the
-- same dataset that nobody called an incident. %(reach)s bounds them; the run itself comes last.
with assessed as (
    select a.run_id, a.detector, a.subject, a.assessment
    from governance.anomaly_index as a
    where a.dataset = %(dataset)s and a.assessment is not null and a.run_id is not null
), earlier as (
    select r.run_id
    from governance.runs as r
    where r.dataset = %(dataset)s
        and r.run_id < %(run_id)s
        and r.status = 'accepted'
        and r.origin = 'delivery'
        and not exists (
            select from assessed as i where i.run_id = r.run_id and i.assessment = 'incident'
        )
    order by r.run_id desc
    limit %(reach)s
)
select
    r.run_id,
    d.received_at,
    coalesce(r.rows_read, 0),
    coalesce(r.rows_quarantined, 0),
    r.observed -> 'columns',
    p.repeated,
    p.compared,
    case when p.dimension = %(dimension)s then p.members end,
    (
        select jsonb_agg(jsonb_build_array(x.detector, x.subject))
        from assessed as x
        where x.run_id = r.run_id and x.assessment = 'expected'
    )
from governance.runs as r
inner join governance.deliveries as d using (delivery_id)
left join governance.delivery_profiles as p using (run_id)
where r.run_id = %(run_id)s or r.run_id in (select e.run_id from earlier as e)
order by r.run_id
