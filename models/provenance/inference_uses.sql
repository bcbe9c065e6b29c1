-- Where accepted answers of models are used, with everything they rest on; the answers themselves
-- stay in the attempts.
with
    uses as (select * from {{ source("provenance", "inference_projections") }} as projections),

    requests as (select * from {{ source("provenance", "inference_requests") }} as requests),

    attempts as (select * from {{ source("provenance", "inference_attempts") }} as attempts),

    decisions as (select * from {{ source("provenance", "inference_decisions") }} as decisions),

    policies as (
        select * from {{ source("provenance", "inference_acceptance_policies") }} as policies
    ),

    contracts as (
        select * from {{ source("provenance", "inference_task_contracts") }} as contracts
    ),

    routes as (select * from {{ source("provenance", "inference_routes") }} as routes),

    profiles as (select * from {{ source("provenance", "inference_profiles") }} as profiles),

    final as (
        select
            uses.target_relation,
            uses.target_key,
            requests.task_id,
            requests.contract_revision,
            contracts.high_impact,
            contracts.prompt_sha256,
            routes.route_id,
            routes.route_revision,
            routes.owner,
            profiles.profile_id,
            profiles.profile_revision,
            profiles.model_name,
            uses.request_key,
            requests.input_artifact_keys,
            uses.attempt_id,
            attempts.transport,
            attempts.output_sha256,
            uses.decision_id,
            decisions.policy_hash,
            policies.active_to is null as policy_in_force,
            decisions.decided_by,
            decisions.decided_at,
            uses.projected_at
        from uses
        inner join requests on requests.request_key = uses.request_key
        inner join attempts on attempts.attempt_id = uses.attempt_id
        inner join decisions on decisions.decision_id = uses.decision_id
        inner join policies on policies.policy_hash = decisions.policy_hash
        inner join
            contracts
            on contracts.task_id = requests.task_id
            and contracts.contract_revision = requests.contract_revision
        inner join
            routes
            on routes.route_id = attempts.route_id
            and routes.route_revision = attempts.route_revision
        inner join
            profiles
            on profiles.profile_id = attempts.profile_id
            and profiles.profile_revision = attempts.profile_revision
    )

select *
from final
