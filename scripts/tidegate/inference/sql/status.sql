with
newest as (
    select distinct on (task_id) task_id, contract_revision, owner, high_impact
    from provenance.inference_task_contracts
    order by task_id, contract_revision desc
),
policies as (
    select task_id, policy_hash, policy ->> 'version' as version
    from provenance.inference_acceptance_policies
    where active_to is null
),
calls as (
    select r.task_id, a.*, exists (
            select from provenance.inference_decisions d
            join policies p using (policy_hash) where d.attempt_id = a.attempt_id
        ) as decided,
        exists (
            select from provenance.inference_decisions d
            join policies p using (policy_hash)
            where d.request_key = a.request_key and d.decision = 'accepted'
        ) as answered
    from provenance.inference_attempts a
    join provenance.inference_requests r using (request_key)
),
counted as (
    select task_id,
        count(*) as attempts,
        count(*) filter (where completed_at is null) as under_way,
        count(*) filter (where status = 'succeeded') as succeeded,
        count(*) filter (where status = 'failed') as failed,
        count(*) filter (where status = 'timed_out') as timed_out,
        count(*) filter (where status = 'refused') as refused,
        count(*) filter (where schema_valid is false) as invalid,
        count(*) filter (where schema_valid and not decided and not answered) as undecided,
        (array_agg(attempt_id order by started_at, attempt_id)
            filter (where schema_valid and not decided and not answered))[:25] as waiting,
        sum(cost_usd) filter (
            where completed_at > now() - make_interval(days => %(days)s)) as cost_usd,
        count(*) filter (
            where completed_at > now() - make_interval(days => %(days)s)
                and cost_usd is null) as unpriced
    from calls
    group by task_id
),
asked as (
    select r.task_id, count(*) as requests, count(*) filter (where exists (
        select from provenance.inference_decisions d join policies p using (policy_hash)
        where d.request_key = r.request_key and d.decision = 'accepted'
    )) as answered
    from provenance.inference_requests r
    group by r.task_id
),
used as (
    select r.task_id, count(*) as uses, count(*) filter (where not exists (
        select from provenance.inference_decisions d join policies p using (policy_hash)
        where d.decision_id = u.decision_id
    )) as outdated
    from provenance.inference_projections u
    join provenance.inference_requests r using (request_key)
    group by r.task_id
)
select
    newest.task_id,
    newest.contract_revision as newest_revision,
    newest.owner,
    newest.high_impact,
    policies.version as policy_version,
    coalesce(array(
        select route_id || '@' || route_revision from provenance.inference_routes
        where inference_routes.task_id = newest.task_id and is_active order by 1
    ), '{}') as active_routes,
    coalesce(asked.requests, 0) as requests,
    coalesce(asked.answered, 0) as answered,
    coalesce(counted.undecided, 0) as undecided,
    coalesce(counted.waiting, '{}') as undecided_attempts,
    coalesce(counted.under_way, 0) as under_way,
    coalesce(counted.attempts, 0) as attempts,
    coalesce(counted.succeeded, 0) as succeeded,
    coalesce(counted.failed, 0) as failed,
    coalesce(counted.timed_out, 0) as timed_out,
    coalesce(counted.refused, 0) as refused,
    coalesce(counted.invalid, 0) as invalid,
    coalesce(used.uses, 0) as uses,
    coalesce(used.outdated, 0) as outdated_uses,
    coalesce(counted.cost_usd, 0) as cost_usd,
    coalesce(counted.unpriced, 0) as unpriced
from newest
left join policies using (task_id)
left join counted using (task_id)
left join asked using (task_id)
left join used using (task_id)
order by newest.task_id
