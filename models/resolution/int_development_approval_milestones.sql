-- Approvals of the FDA as milestones of the contexts that they were for. The regulator's own table
-- is a confirmation; a tentative approval is none. A decision is public on its day, so that is when
-- it was first to be observed, however often the table is delivered again. Where the FDA corrects
-- the day in a later snapshot, the milestone has the corrected one: it is the same submission.
with
    linked as (
        select *
        from {{ ref("stg_development__context_sources") }}
        where source_kind = 'fda_submission'
    ),

    submissions as (select * from {{ ref("stg_drugsatfda__submissions") }}),

    final as (
        select
            'milestone:'
            || substr(linked.context_key, 5)
            || ':FDA:'
            || linked.native_id as milestone_key,
            linked.context_key,
            'regulatory'::text as axis,
            'approved'::text as milestone_type,
            'approved'::text as axis_value,
            submissions.event_date as milestone_date,
            case
                when submissions.event_date is null then 'unknown' else 'day'
            end as date_precision,
            'confirmed'::text as truth_mode,
            null::text as source_trial_key,
            coalesce(
                submissions.event_date::timestamp at time zone 'UTC', submissions.received_at
            ) as observed_at,
            'regulator_primary'::text as source_authority_tier,
            null::text as pointer,
            submissions.approval_event_key as source_record_key,
            submissions.source_artifact_key,
            'sha256:' || submissions.content_sha256 as source_version_id,
            submissions.content_sha256,
            submissions.immutable_uri,
            submissions.record_number,
            submissions.received_at,
            {{ tidegate.claim_id("regulatory_event", "submissions.approval_event_key", "event_status") }}
            as claim_id
        from linked
        inner join
            submissions
            on submissions.approval_event_key = 'approval_event:FDA:' || linked.native_id
        where submissions.event_status = 'approved'
    )

select *
from final
