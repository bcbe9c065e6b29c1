-- Where accepted answers of models are used, with everything they rest on; the answers themselves
-- stay in the attempts.
with
    uses as (select * from {{ source("provenance", "inference_projections") }} as projections),

    {{ tidegate.inference_records() }},

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
        from {{ tidegate.uses_with_records() }}
    )

select *
from final
