-- What else speaks of the values of publications, beside the words that they stand on: what the
-- registry posts for the same trial, endpoint and statistic, and what a model read, where its
-- answer
-- was accepted. Each supports the published value or contradicts it, and never stands in its place.
with
    roles as (
        select * from {{ ref("int_publication_outcome_roles") }} where publication_role <> 'primary'
    ),

    posted as (select * from {{ ref("stg_ctgov__outcomes") }}),

    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    comparisons as (select * from {{ ref("stg_pubmed__comparisons") }}),

    read as (
        select *
        from {{ ref("claims__inference") }}
        where
            canonical_bound
            and claim_type = 'publication_comparison_value'
            and fact_path = 'value_num'
            and locator is not null
    ),

    -- Where one posted value is the same, the others are of other arms.
    final as (
        select
            'q_publication_outcomes' as model_name,
            roles.publication_outcome_key as row_key,
            roles.publication_role as role,
            posted.trial_outcome_key as said_by,
            studies.source_artifact_key,
            studies.snapshot_id as source_version_id,
            studies.content_sha256,
            studies.immutable_uri,
            studies.record_number,
            posted.pointer || '/value' as pointer,
            null::text as quote,
            'registry_primary' as source_authority_tier,
            studies.received_at
        from roles
        inner join posted on posted.trial_outcome_key = any(roles.posted_keys)
        inner join studies on studies.trial_key = posted.trial_key
        where
            roles.publication_role = 'conflicting'
            or round(posted.value_num, scale(roles.value_num)) = roles.value_num
        union all
        select
            'q_publication_comparisons',
            comparisons.publication_comparison_key,
            case
                when
                    read.value_num = comparisons.value_num
                    and coalesce(read.unit = comparisons.effect_measure, true)
                then 'supporting'
                else 'conflicting'
            end,
            read.attempt_id,
            read.source_artifact_key,
            read.source_version_id,
            read.content_hash,
            read.immutable_uri,
            (read.locator ->> 'record')::bigint,
            read.locator ->> 'pointer',
            read.source_text,
            read.source_authority_tier,
            read.observed_at
        from comparisons
        inner join read on read.subject_key = comparisons.publication_comparison_key
    )

select *
from final
