-- What else speaks of the values of publications, beside the words that they stand on: what the
-- registry posts for the same trial, endpoint and statistic, and what a model read, where that was
-- accepted. Each supports the published value or contradicts it, and never stands in its place.
with
    roles as (
        select * from {{ ref("int_publication_outcome_roles") }} where publication_role <> 'primary'
    ),

    posted as (select * from {{ ref("stg_ctgov__outcomes") }}),

    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    claims as (select * from {{ ref("claims__publications") }}),

    read as (
        select * from {{ ref("claims__inference") }} where canonical_bound and locator is not null
    ),

    published(claim_type, model_name) as (
        values
            ('publication_outcome_value', 'q_publication_outcomes'),
            ('publication_comparison_value', 'q_publication_comparisons'),
            ('safety_value', 'q_publication_safety')
    ),

    -- Where one posted value is the same, the others are of other arms.
    final as (
        select
            'q_publication_outcomes' as model_name,
            roles.publication_outcome_key as row_key,
            'value_num' as fact_path,
            roles.publication_role as role,
            posted.trial_outcome_key as said_by,
            {{ tidegate.claim_id("registry_outcome_value", "posted.trial_outcome_key", "value_num") }}
            as claim_id,
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
            published.model_name,
            claims.subject_key,
            claims.fact_path,
            case
                when read.value_num = claims.value_num and coalesce(read.unit = claims.unit, true)
                then 'supporting'
                else 'conflicting'
            end,
            read.attempt_id,
            read.claim_id,
            read.source_artifact_key,
            read.source_version_id,
            read.content_hash,
            read.immutable_uri,
            (read.locator ->> 'record')::bigint,
            read.locator ->> 'pointer',
            read.source_text,
            read.source_authority_tier,
            read.observed_at
        from claims
        inner join published on published.claim_type = claims.claim_type
        inner join
            read
            on read.claim_type = claims.claim_type
            and read.subject_key = claims.subject_key
            and read.fact_path = claims.fact_path
    )

select *
from final
