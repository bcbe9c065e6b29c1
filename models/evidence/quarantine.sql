-- What is rejected before it becomes a fact: claims that a gate of evidence rejects, maybe by
-- several, and outputs of models that were not accepted. Nothing here writes to curation.
with
    claims as ({{ tidegate.quarantined_claims(tidegate.claim_slices()) }}),

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
