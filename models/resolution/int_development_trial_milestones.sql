-- Milestones that the registry tells of the trials of a context: the start of the phase, and each
-- status from the first snapshot that shows it. An end has the day that the registry gives it. What
-- one snapshot said stays when a later one says otherwise, so nothing that was known is lost.
with
    linked as (
        select *
        from {{ ref("stg_development__context_sources") }}
        where source_kind = 'registry_trial'
    ),

    snapshots as (select * from {{ ref("stg_ctgov__snapshots") }}),

    told as (
        select
            linked.context_key,
            snapshots.trial_key,
            snapshots.nct_id,
            snapshots.snapshot_date,
            {{ tidegate.json_text_array("snapshots.payload", "protocolSection/designModule/phases") }}
            as phases,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/overallStatus") }}
            as overall_status,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/startDateStruct/date") }}
            as start_text,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/startDateStruct/type") }}
            as start_type,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/completionDateStruct/date") }}
            as end_text,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/completionDateStruct/type") }}
            as end_type,
            snapshots.source_artifact_key,
            snapshots.snapshot_id as source_version_id,
            snapshots.content_sha256,
            snapshots.immutable_uri,
            snapshots.record_number,
            snapshots.received_at
        from linked
        inner join snapshots on snapshots.nct_id = linked.native_id
    ),

    phases as (
        select
            told.*,
            'phase'::text as axis,
            'phase_started'::text as milestone_type,
            case
                when cardinality(told.phases) = 0 or told.phases = array['NA']
                then 'unknown'
                else lower(array_to_string(told.phases, '_'))
            end as spelled,
            told.start_text as date_text,
            '/protocolSection/designModule/phases'::text as pointer
        from told
        where coalesce(told.start_type, 'ACTUAL') = 'ACTUAL' and told.start_text is not null
    ),

    activities as (
        select
            told.*,
            'clinical_activity'::text as axis,
            types.milestone_type,
            types.axis_value as spelled,
            case
                when types.is_end and told.end_type = 'ACTUAL'
                then told.end_text
                else to_char(told.snapshot_date, 'YYYY-MM-DD')
            end as date_text,
            '/protocolSection/statusModule/overallStatus'::text as pointer
        from told
        inner join
            (
                values
                    ('NOT_YET_RECRUITING', 'trial_registered', 'planned', false),
                    ('RECRUITING', 'recruiting_started', 'recruiting', false),
                    ('ENROLLING_BY_INVITATION', 'recruiting_started', 'recruiting', false),
                    ('ACTIVE_NOT_RECRUITING', 'recruitment_closed', 'active_not_recruiting', false),
                    ('SUSPENDED', 'trial_suspended', 'suspended', false),
                    ('TERMINATED', 'trial_terminated', 'terminated', true),
                    ('WITHDRAWN', 'trial_withdrawn', 'withdrawn', true),
                    ('COMPLETED', 'trial_completed', 'completed', true)
            ) as types(overall_status, milestone_type, axis_value, is_end)
            on types.overall_status = told.overall_status
    ),

    facts as (
        select *
        from phases
        union all
        select *
        from activities
    ),

    valued as (
        select
            facts.*,
            -- Phases that are combined are one phase: phase 1 and 2 is neither of them.
            case
                facts.spelled
                when 'phase1_phase2'
                then 'phase1_2'
                when 'phase2_phase3'
                then 'phase2_3'
                else facts.spelled
            end as axis_value,
            concat_ws(
                ' ', facts.spelled, case when facts.axis = 'phase' then facts.date_text end
            ) as fact,
            {{ tidegate.first_day("facts.date_text") }} as milestone_date
        from facts
    ),

    -- A value that snapshots repeat was told by the first of them.
    numbered as (
        select valued.*, lag(valued.fact) over in_time is distinct from valued.fact as is_news
        from valued
        window
            in_time as (
                partition by valued.context_key, valued.trial_key, valued.axis
                order by valued.snapshot_date
            )
    ),

    keyed as (
        select
            'milestone:'
            || substr(numbered.context_key, 5)
            || ':'
            || numbered.nct_id
            || ':'
            || numbered.axis_value
            || ':'
            || to_char(numbered.snapshot_date, 'YYYY-MM-DD') as milestone_key,
            numbered.context_key,
            numbered.axis,
            numbered.milestone_type,
            case
                when
                    numbered.axis = 'clinical_activity'
                    or numbered.axis_value
                    = any({{ tidegate.closed_array("q_development_programs", "current_phase") }})
                then numbered.axis_value
                else 'unknown'
            end as axis_value,
            numbered.milestone_date,
            coalesce(
                {{ tidegate.date_precision("numbered.date_text", "numbered.milestone_date") }},
                'unknown'
            ) as date_precision,
            'confirmed'::text as truth_mode,
            numbered.trial_key as source_trial_key,
            numbered.snapshot_date::timestamp at time zone 'UTC' as observed_at,
            'registry_primary'::text as source_authority_tier,
            numbered.pointer,
            null::text as source_record_key,
            numbered.source_artifact_key,
            numbered.source_version_id,
            numbered.content_sha256,
            numbered.immutable_uri,
            numbered.record_number,
            numbered.received_at
        from numbered
        where numbered.is_news
    ),

    final as (
        select
            keyed.*,
            case
                keyed.axis
                when 'phase'
                then
                    {{ tidegate.claim_id("development_milestone", "keyed.milestone_key", "milestone_type") }}
                else
                    {{ tidegate.claim_id("trial_status", "keyed.source_trial_key || '@' || keyed.source_version_id", "overall_status") }}
            end as claim_id
        from keyed
    )

select *
from final
