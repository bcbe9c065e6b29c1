-- The artefacts that receipts name.
{#- Support stands on all evidence: what reads every slice is judged with it. #}
{%- set evidence = [ref("assertions"), ref("int_assertion_conflicts"), ref("event_claims"), ref("translations")] %}
with
    artifacts as (select * from {{ ref("source_artifacts") }}),

    final as (
        select
            artifacts.source_artifact_key,
            artifacts.source_family,
            artifacts.source_native_id,
            artifacts.source_version_id,
            artifacts.version_semantics,
            artifacts.immutable_uri,
            artifacts.content_hash,
            artifacts.content_hash_algorithm,
            artifacts.media_type,
            artifacts.observed_at,
            artifacts.fetched_at,
            artifacts.supersedes_artifact_key,
            {{ tidegate.publication_tail("artifacts.source_artifact_key") }}
        from artifacts
    )

select *
from final
