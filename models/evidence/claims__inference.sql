-- What models read of what is staged, where the answer was accepted: a claim for each use. Its
-- name is the target of the run (docs/inference.md). A claim is bound where the part that was
-- asked about is still there, as it was read; the gates of inference judge the others too.
with
    uses as (
        select
            uses.*,
            regexp_match(uses.target_key, '^claim:([a-z_]+):(.+):([^:]+):inference$') as named
        from {{ source("provenance", "inference_projections") }} as uses
        where uses.target_relation = 'evidence.claims'
    ),

    {{ tidegate.inference_records() }},

    -- What may be asked about: whatever a parser read of publications, with where it stands.
    staged as (select * from {{ ref("claims__publications") }}),

    read as (
        select
            uses.*,
            uses.named[1] as claim_type,
            uses.named[2] as subject_key,
            uses.named[3] as fact_path,
            requests.task_id,
            requests.contract_revision,
            requests.input_sha256,
            attempts.route_id,
            attempts.route_revision,
            attempts.profile_id,
            attempts.profile_revision,
            attempts.schema_valid,
            attempts.parsed_output ->> 'value' as value_text,
            nullif(attempts.parsed_output ->> 'unit', 'not_stated') as unit,
            attempts.parsed_output ->> 'quote' as quote,
            case
                when jsonb_typeof(attempts.parsed_output -> 'confidence') = 'number'
                then least(greatest((attempts.parsed_output ->> 'confidence')::numeric, 0), 1)
            end as confidence,
            decisions.decision,
            decisions.decided_by,
            decisions.decided_at,
            -- Without rules the validator looks at the form alone, which verifies nothing.
            case
                when decisions.decision = 'rejected'
                then 'fail'
                when
                    decisions.decided_by = 'deterministic_validator'
                    and coalesce(policies.policy -> 'rules', '[]') = '[]'
                then 'abstain'
                else 'pass'
            end as verdict,
            contracts.high_impact,
            contracts.prompt_sha256,
            routes.is_active,
            routes.owner,
            profiles.model_name,
            requests.input_artifact_keys
        from {{ tidegate.uses_with_records() }}
    ),

    final as (
        select
            read.target_key as claim_id,
            read.claim_type,
            read.subject_key,
            read.fact_path,
            read.value_text,
            {{ tidegate.to_number("read.value_text") }} as value_num,
            read.unit,
            coalesce(
                staged.source_artifact_key, 'artifact:sha256:' || read.input_artifact_keys[1]
            ) as source_artifact_key,
            staged.source_version_id,
            staged.source_family,
            'model_inferred'::text as source_authority_tier,
            'text_quote'::text as locator_shape,
            -- Words that are not in the source are no place in it.
            case
                when position(read.quote in staged.source_text) > 0
                then staged.locator || jsonb_build_object('exact', read.quote)
            end as locator,
            read.quote as source_text,
            'exact_span'::text as source_text_coverage,
            'en'::character(2) as language_code,
            'inference'::text as produced_by,
            null::text as parser_version,
            read.attempt_id,
            coalesce(
                read.decision = 'accepted'
                and read.schema_valid
                and staged.content_hash = any(read.input_artifact_keys),
                false
            ) as canonical_bound,
            coalesce(read.high_impact, true) as high_impact,
            read.decided_at as recorded_at,
            staged.source_native_id,
            staged.version_semantics,
            staged.immutable_uri,
            null::text as live_url,
            staged.content_hash,
            'sha256'::text as content_hash_algorithm,
            staged.observed_at,
            staged.fetched_at,
            null::text as supersedes_artifact_key,
            read.target_relation,
            read.target_key,
            read.request_key,
            read.input_sha256,
            read.input_artifact_keys,
            read.decision_id,
            read.decided_by,
            read.verdict,
            read.confidence,
            read.task_id,
            read.contract_revision,
            read.prompt_sha256,
            read.route_id,
            read.route_revision,
            read.is_active,
            read.owner,
            read.profile_id,
            read.profile_revision,
            read.model_name
        from read
        left join
            staged
            on staged.claim_type = read.claim_type
            and staged.subject_key = read.subject_key
            and staged.fact_path = read.fact_path
    )

select *
from final
