-- What is rejected before it becomes a fact: claims that a gate of evidence rejects, maybe by
-- several, and outputs of models that were not accepted. Nothing here writes to curation.
-- What was judged for milestones and relationships is not judged again.
{%- set judged = ["clinical_trials", "approvals", "development", "spines"] %}
with
    claims as (
        {{
            tidegate.quarantined_claims(
                tidegate.claim_slices() | reject("in", judged) | list
            )
        }}
        union all
        select *
        from {{ ref("quarantine__development") }}
        union all
        select *
        from {{ ref("quarantine__spines") }}
    ),

    outputs as (
        {{
            tidegate.quarantined_outputs(
                source("provenance", "inference_attempts"),
                source("provenance", "inference_decisions"),
            )
        }}
    )

select *
from claims
union all
select *
from outputs
