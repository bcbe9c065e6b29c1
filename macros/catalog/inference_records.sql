{#- The records behind uses of answers, as common tables. -#}
{%- macro inference_records() -%}
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

    profiles as (select * from {{ source("provenance", "inference_profiles") }} as profiles)
{%- endmacro -%}

{#- Each of `uses` with everything it rests on. Foreign keys see to it that all of that is there; were
    it not, the use is still shown, for the gates of inference to judge. -#}
{%- macro uses_with_records() -%}
    uses
    left join requests on requests.request_key = uses.request_key
    left join attempts on attempts.attempt_id = uses.attempt_id
    left join
        decisions
        on decisions.decision_id = uses.decision_id
        and decisions.attempt_id = uses.attempt_id
    left join policies on policies.policy_hash = decisions.policy_hash
    left join contracts on {{ tidegate.is_pinned("contracts") }}
    left join routes on {{ tidegate.is_pinned("routes") }}
    left join profiles on {{ tidegate.is_pinned("profiles") }}
{%- endmacro -%}
