-- Milestones as told. Their type says which axis they are on and, but for phases and owners, where.
with
    landed as (select * from {{ source("development", "development_milestones") }} as landed),

    types(milestone_type, axis, axis_value) as (
        values
            ('phase_started', 'phase', null),
            ('phase_completed', 'phase', null),
            ('trial_registered', 'clinical_activity', 'planned'),
            ('recruiting_started', 'clinical_activity', 'recruiting'),
            ('recruitment_closed', 'clinical_activity', 'active_not_recruiting'),
            ('trial_suspended', 'clinical_activity', 'suspended'),
            ('trial_terminated', 'clinical_activity', 'terminated'),
            ('discontinuation_announced', 'clinical_activity', 'terminated'),
            ('trial_withdrawn', 'clinical_activity', 'withdrawn'),
            ('trial_completed', 'clinical_activity', 'completed'),
            ('submission_filed', 'regulatory', 'submitted'),
            ('submission_accepted', 'regulatory', 'under_review'),
            ('approved', 'regulatory', 'approved'),
            ('conditionally_approved', 'regulatory', 'conditionally_approved'),
            ('refused', 'regulatory', 'refused'),
            ('approval_withdrawn', 'regulatory', 'approval_withdrawn'),
            ('originated', 'ownership', null),
            ('licensed', 'ownership', null),
            ('acquired', 'ownership', null),
            ('rights_returned', 'ownership', null)
    ),

    final as (
        select
            'milestone:' || landed.milestone_id as milestone_key,
            'ctx:' || landed.context_id as context_key,
            types.axis,
            {{ tidegate.source_and_mapped("landed.milestone_type", "q_development_milestones", "milestone_type") }},
            landed.phase as source_current_phase,
            case
                when types.axis = 'phase'
                then
                    {{ tidegate.mapped("landed.phase", "q_development_programs", "current_phase") }}
                else types.axis_value
            end as axis_value,
            landed.organisation as organisation_name,
            'trial:' || landed.trial_id as source_trial_key,
            landed.milestone_date as source_milestone_date,
            {{ tidegate.first_day("landed.milestone_date") }} as milestone_date,
            coalesce(
                {{ tidegate.date_precision("landed.milestone_date", tidegate.first_day("landed.milestone_date")) }},
                'unknown'
            ) as date_precision,
            {{ tidegate.source_and_mapped("landed.truth_mode", "q_development_milestones", "truth_mode") }},
            {{ tidegate.source_and_mapped("landed.source_authority_tier", "q_development_milestones", "source_authority_tier") }},
            landed.observed_on::timestamp at time zone 'UTC' as observed_at,
            {{ tidegate.receipt_columns("landed") }}
        from landed
        left join types on types.milestone_type = landed.milestone_type
    )

select *
from final
