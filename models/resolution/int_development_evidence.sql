-- Values that the registry and publications report for the trials of a context, and that companies
-- and meetings announce, each as its own row of arm, population and endpoint. What has no known
-- endpoint is evidence of nothing comparable.
with
    linked as (
        select *
        from {{ ref("stg_development__context_sources") }}
        where source_kind = 'registry_trial'
    ),

    measured as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_endpoint' and publishable
    ),

    reported as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    posted as (select * from {{ ref("stg_ctgov__outcomes") }}),

    posted_arms as (select * from {{ ref("int_result_group_arms") }}),

    published as (select * from {{ ref("stg_pubmed__outcomes") }}),

    published_arms as (select * from {{ ref("int_publication_arms") }}),

    publication_trials as (
        select * from {{ ref("int_publication_trials") }} where comparison_eligible
    ),

    of_registry as (
        select
            linked.context_key,
            'registry_result'::text as source_kind,
            'q_trial_outcomes'::text as source_row_model,
            posted.trial_outcome_key as source_row_key,
            posted_arms.arm_key,
            posted.result_group_key as arm_subject_key,
            null::text as population_key,
            measured.target_key as canonical_endpoint_key,
            measured.subject_key as endpoint_subject_key,
            {{ tidegate.claim_id("registry_outcome_value", "posted.trial_outcome_key", "value_num") }}
            as claim_id,
            posted.time_frame as timepoint,
            posted.value_num,
            case
                when posted.value_num is not null
                then 'reported'
                when posted.explanation_of_na ilike '%not reached%'
                then 'not_reached'
                else 'not_reported'
            end as value_state,
            'registry_primary'::text as source_authority_tier,
            posted.pointer,
            null::text as source_quote,
            studies.source_artifact_key,
            studies.snapshot_id as source_version_id,
            studies.content_sha256,
            studies.immutable_uri,
            studies.record_number,
            studies.received_at
        from linked
        inner join posted on posted.trial_key = 'trial:' || linked.native_id
        inner join studies on studies.trial_key = posted.trial_key
        inner join
            measured
            on measured.subject_key
            = {{ tidegate.alias_key("trial_endpoint", "clinical_trials", "posted.outcome_title") }}
        left join posted_arms on posted_arms.result_group_key = posted.result_group_key
    ),

    of_publications as (
        select
            linked.context_key,
            'publication'::text as source_kind,
            'q_publication_outcomes'::text as source_row_model,
            published.publication_outcome_key as source_row_key,
            published_arms.trial_arm_key as arm_key,
            null::text as arm_subject_key,
            published.publication_population_key as population_key,
            reported.target_key as canonical_endpoint_key,
            reported.subject_key as endpoint_subject_key,
            {{ tidegate.claim_id("publication_outcome_value", "published.publication_outcome_key", "value_num") }}
            as claim_id,
            nullif(
                concat_ws(' ', published.timepoint_value::text, published.timepoint_unit), ''
            ) as timepoint,
            published.value_num,
            case
                when published.value_num is not null
                then 'reported'
                when published.value_state in ('not_reached', 'not_estimable')
                then 'not_reached'
                else 'not_reported'
            end as value_state,
            'peer_reviewed'::text as source_authority_tier,
            published.pointer,
            null::text as source_quote,
            published.source_artifact_key,
            published.source_version_id,
            published.content_sha256,
            published.immutable_uri,
            published.record_number,
            published.received_at
        from linked
        inner join publication_trials on publication_trials.registry_number = linked.native_id
        inner join published on published.publication_key = publication_trials.publication_key
        inner join reported on reported.subject_key = published.publication_outcome_key
        left join
            published_arms on published_arms.publication_arm_key = published.publication_arm_key
    ),

    announced as (
        select *
        from {{ ref("links__news") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    -- An announcement is evidence and moves no axis; its arm is known by an equal label only.
    of_announcements as (
        select
            linked.context_key,
            results.source_family as source_kind,
            'q_announced_results'::text as source_row_model,
            results.announced_result_key as source_row_key,
            arms.arm_key,
            null::text as arm_subject_key,
            null::text as population_key,
            announced.target_key as canonical_endpoint_key,
            announced.subject_key as endpoint_subject_key,
            {{ tidegate.claim_id("publication_outcome_value", "results.announced_result_key", "value_num") }}
            as claim_id,
            results.timepoint,
            results.value_num,
            case
                when results.value_num is not null
                then 'reported'
                when results.value_state in ('not_reached', 'not_estimable')
                then 'not_reached'
                else 'not_reported'
            end as value_state,
            results.source_authority_tier,
            results.pointer,
            results.source_quote,
            results.source_artifact_key,
            results.source_version_id,
            results.content_sha256,
            results.immutable_uri,
            results.record_number,
            results.received_at
        from linked
        inner join
            {{ ref("stg_news__results") }} as results on results.registry_number = linked.native_id
        inner join
            announced
            on announced.subject_key
            = {{ tidegate.alias_key("publication_endpoint", "news", "results.raw_endpoint_phrase") }}
        left join
            {{ ref("stg_ctgov__arms") }} as arms
            on arms.trial_key = 'trial:' || results.registry_number
            and arms.arm_label = results.source_arm_label
    ),

    collected as (
        select *
        from of_registry
        union all
        select *
        from of_publications
        union all
        select *
        from of_announcements
    ),

    final as (
        select
            'evidence:'
            || substr(collected.context_key, 5)
            || ':'
            || collected.source_row_key as emerging_evidence_key,
            collected.*
        from collected
    )

select *
from final
