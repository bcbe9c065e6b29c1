-- Milestones of all sources in one form: as told, of the registry's trials, of the FDA's approvals.
-- Each rests on the claim of its source, unless a gate rejected that.
with
    told as (select * from {{ ref("stg_development__milestones") }}),

    contexts as (select * from {{ ref("development_program_contexts") }}),

    links as (
        select *
        from {{ ref("links__development") }}
        where subject_kind = 'org_alias' and publishable
    ),

    claims as (select * from {{ ref("int_development_claims") }}),

    owned as (
        select
            told.milestone_key,
            told.context_key,
            told.axis,
            told.milestone_type,
            case
                when told.axis = 'ownership' then links.target_key else told.axis_value
            end as axis_value,
            told.milestone_date,
            told.date_precision,
            told.truth_mode,
            told.source_trial_key,
            told.observed_at,
            told.source_authority_tier,
            null::text as pointer,
            null::text as source_record_key,
            told.source_artifact_key,
            'sha256:' || told.content_sha256 as source_version_id,
            told.content_sha256,
            told.immutable_uri,
            told.record_number,
            told.received_at,
            {{ tidegate.claim_id("development_milestone", "told.milestone_key", "milestone_type") }}
            as claim_id,
            told.organisation_name
        from told
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("org_alias", "development", "told.organisation_name") }}
    ),

    collected as (
        select owned.*
        from owned
        union all
        select trials.*, null
        from {{ ref("int_development_trial_milestones") }} as trials
        union all
        select approvals.*, null
        from {{ ref("int_development_approval_milestones") }} as approvals
    ),

    final as (
        select
            collected.*,
            case when collected.axis = 'ownership' then collected.axis_value end as owner_org_key,
            array_remove(array[claims.claim_id], null) as supporting_claim_ids
        from collected
        inner join contexts on contexts.context_key = collected.context_key
        left join claims on claims.claim_id = collected.claim_id
    )

select *
from final
