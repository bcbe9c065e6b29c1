-- What happened in each context, and whether it was announced or is confirmed.
with
    milestones as (select * from {{ ref("development_program_milestones") }}),

    final as (
        select
            milestones.milestone_key,
            milestones.context_key,
            milestones.axis,
            milestones.milestone_type,
            milestones.axis_value,
            milestones.milestone_date,
            milestones.date_precision,
            milestones.truth_mode,
            milestones.source_trial_key,
            milestones.observed_at,
            milestones.source_authority_tier,
            milestones.source_record_key,
            milestones.source_version_id,
            {{ tidegate.publication_tail("milestones.milestone_key") }}
        from milestones
    )

select *
from final
