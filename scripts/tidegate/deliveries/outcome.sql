-- How one run ended. `superseded_by` is the newer delivery that readers of a snapshot see instead of
-- the one whose bytes came again.
select
    r.source_name,
    r.dataset,
    r.status,
    r.halted_in,
    r.reason,
    r.detail,
    r.delivery_id,
    r.rows_read,
    r.rows_accepted,
    r.rows_quarantined,
    (
        select jsonb_object_agg(found.reason, found.records)
        from (
            select q.reason, count(*) as records
            from governance.quarantine_index as q
            where q.run_id = r.run_id
            group by q.reason
        ) as found
    ) as quarantine_reasons,
    (
        select p.reference
        from governance.publications as p
        where p.delivery_id = r.delivery_id
        order by p.publication_id
        limit 1
    ) as reference,
    (
        select max(m.delivery_id)
        from governance.materializations as m
        where
            r.status = 'duplicate'
            and m.dataset = r.dataset
            and m.origin = 'delivery'
            and m.delivery_id > r.delivery_id
    ) as superseded_by,
    array(
        select warned.rule ->> 'id'
        from jsonb_array_elements(r.validation -> 'rules') with ordinality as warned(rule, place)
        where
            r.status = 'accepted'
            and (
                warned.rule ->> 'status' = 'warning'
                or warned.rule ->> 'status' = 'not_evaluated'
                and warned.rule ->> 'severity' = 'warning'
                and r.validation ->> 'allow_empty' = 'false'
            )
        order by warned.place
    ) as warned
from governance.runs as r
where r.run_id = %s
