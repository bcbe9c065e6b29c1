-- What is so of each context now: the fold of its milestones, on axes that stay apart. A context
-- without a confirmed milestone is `none` on all of them.
with
    programs as (select * from {{ ref("development_programs") }}),

    contexts as (select * from {{ ref("development_program_contexts") }}),

    milestones as (select * from {{ ref("development_program_milestones") }}),

    {{ tidegate.development_fold(tidegate.development_axes()) }},

    owners as (
        select distinct
            on (milestones.context_key, milestones.axis_value)
            milestones.context_key,
            milestones.axis_value,
            milestones.milestone_type
        from milestones
        where milestones.axis = 'ownership' and milestones.truth_mode = 'confirmed'
        order by
            milestones.context_key,
            milestones.axis_value,
            milestones.milestone_date desc nulls last,
            milestones.milestone_type
    ),

    observed as (
        select max((milestones.observed_at at time zone 'UTC')::date) as as_of_date from milestones
    ),

    final as (
        select
            contexts.context_key,
            contexts.program_key,
            programs.drug_name,
            programs.resolved_drug_key,
            programs.regimen_signature,
            programs.program_kind,
            contexts.segment_name,
            contexts.segment_key,
            contexts.segment_state,
            contexts.treatment_line_key,
            contexts.treatment_line_state,
            contexts.setting,
            contexts.region_code,
            contexts.context_completeness,
            coalesce(states.current_phase, 'none') as current_phase,
            coalesce(states.clinical_activity, 'none') as clinical_activity,
            coalesce(states.regulatory_state, 'none') as regulatory_state,
            states.owner_organisation_key,
            case
                owners.milestone_type
                when 'originated'
                then 'originator'
                when 'licensed'
                then 'licensee'
                when 'acquired'
                then 'acquired'
                when 'rights_returned'
                then 'rights_returned'
                else 'unknown'
            end as ownership_state,
            coalesce(states.historical_max_phase, 'none') as historical_max_phase,
            coalesce(states.historical_max_regulatory, 'none') as historical_max_regulatory,
            observed.as_of_date,
            {{ tidegate.literal(tidegate.development_fold_version()) }}::text as fold_version,
            contexts.source_artifact_key,
            contexts.content_sha256,
            contexts.immutable_uri,
            contexts.record_number,
            contexts.received_at
        from contexts
        inner join programs on programs.program_key = contexts.program_key
        cross join observed
        left join
            fold_states as states
            on states.context_key = contexts.context_key
            and states.moment = 'infinity'
        left join
            owners
            on owners.context_key = contexts.context_key
            and owners.axis_value = states.owner_organisation_key
    )

select *
from final
