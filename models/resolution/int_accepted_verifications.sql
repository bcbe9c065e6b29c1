-- Verdicts of verifying models about candidates: only answers that were accepted, of the form
-- {"verdict": "pass" | "fail" | "abstain", "confidence": 0 to 1}. Any other answer abstains.
with
    uses as (
        select *
        from {{ source("provenance", "inference_projections") }} as uses
        where uses.target_relation = 'resolution.verifications'
    ),

    attempts as (select * from {{ source("provenance", "inference_attempts") }} as attempts),

    decisions as (select * from {{ source("provenance", "inference_decisions") }} as decisions),

    final as (
        select
            uses.target_key as candidate_id,
            uses.attempt_id,
            case
                when attempts.parsed_output ->> 'verdict' in ('pass', 'fail')
                then attempts.parsed_output ->> 'verdict'
                else 'abstain'
            end as verdict,
            case
                when jsonb_typeof(attempts.parsed_output -> 'confidence') = 'number'
                then least(greatest((attempts.parsed_output ->> 'confidence')::numeric, 0), 1)
            end as confidence,
            'policy:' || decisions.policy_hash as rule_or_policy_version,
            decisions.decided_at as verified_at
        from uses
        inner join attempts on attempts.attempt_id = uses.attempt_id
        inner join decisions on decisions.decision_id = uses.decision_id
        where decisions.decision = 'accepted' and attempts.schema_valid
    )

select *
from final
