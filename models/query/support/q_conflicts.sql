-- Terms that mean more than one thing, whether a curator has decided, and how many candidates and
-- verdicts there are.
with
    conflicts as (select * from {{ ref("conflict_queue") }}),

    counted as (
        select
            candidates.subject_kind,
            candidates.subject_key,
            min(candidates.source_term) as source_term,
            count(distinct candidates.target_key) as targets,
            count(verifications.verification_id) as verdicts
        from {{ ref("candidates") }} as candidates
        left join
            {{ ref("verifications") }} as verifications
            on verifications.candidate_id = candidates.candidate_id
        group by candidates.subject_kind, candidates.subject_key
    ),

    final as (
        select
            conflicts.conflict_id,
            conflicts.subject_kind,
            conflicts.subject_key,
            counted.source_term,
            counted.targets,
            counted.verdicts,
            conflicts.severity,
            conflicts.state,
            conflicts.opened_at,
            {{ tidegate.publication_tail("conflicts.conflict_id") }}
        from conflicts
        inner join
            counted
            on counted.subject_kind = conflicts.subject_kind
            and counted.subject_key = conflicts.subject_key
    )

select *
from final
