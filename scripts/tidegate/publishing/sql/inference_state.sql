select md5(concat_ws('|',
    (select concat_ws(',', count(*), count(*) filter (where retired_at is null))
    from provenance.inference_task_contracts),
    (select count(*) from provenance.inference_profiles),
    (select concat_ws(',', count(*), string_agg(
        route_id || '@' || route_revision, ',' order by route_id, route_revision)
        filter (where is_active))
    from provenance.inference_routes),
    (select concat_ws(',', count(*), count(completed_at), max(completed_at))
    from provenance.inference_attempts),
    (select concat_ws(',', count(*), count(active_to)) from provenance.inference_acceptance_policies),
    (select count(*) from provenance.inference_decisions),
    (select concat_ws(',', count(*), max(projected_at)) from provenance.inference_projections)
))
