{#- The stored artefacts of one slice (see `artifact_rows`): immutable bytes under their hash, which source
    and version they are, and when they were observed and fetched. A delivery that brings the same
    version again says which artefact it supersedes. -#}
{%- macro source_artifacts(sources) -%}
    with
        artifacts as ({{ tidegate.artifact_rows(sources) }}),

        -- One artefact may be delivered for several datasets, and one version more than once.
        kept as (
            select distinct on (artifacts.source_artifact_key) artifacts.*
            from artifacts
            order by artifacts.source_artifact_key, artifacts.delivery_id desc
        )
    select
        kept.source_artifact_key,
        kept.source_family,
        kept.source_native_id,
        kept.source_version_id,
        kept.version_semantics,
        kept.immutable_uri,
        kept.content_hash,
        'sha256'::text as content_hash_algorithm,
        kept.media_type,
        kept.observed_at,
        kept.fetched_at,
        lag(kept.source_artifact_key) over (
            partition by kept.source_family, kept.source_native_id, kept.source_version_id
            order by kept.delivery_id
        ) as supersedes_artifact_key
    from kept
{%- endmacro -%}

{#- The slices whose artefacts `source_artifacts` gathers, one model `source_artifacts__<slice>` each: what
    is wrong with the artefacts of one slice holds back no other. -#}
{%- macro artifact_slices() -%}
    {{-
        return(
            [
                "clinical_trials",
                "approvals",
                "publications",
                "news",
                "spines",
                "epidemiology",
                "commercial",
                "development",
            ]
        )
    -}}
{%- endmacro -%}
