{#- Stored artefacts of datasets, one row each. A source is a mapping: `relation` (landed), `family`, `media`, and SQL of `key`,
    `native`, `version` and `observed`, where they differ from the default: the artefact's hash as key
    and version, the dataset's name, the moment of receipt. `semantics` says what a version is worth. A dataset whose records say
    both for themselves has SQL of them under `own_family` and `own_semantics`. -#}
{%- macro artifact_rows(sources) -%}
    {%- for source in sources %}
        select distinct
            ({{ source.get("key", "'artifact:sha256:' || landed._artifact_sha256") }})::text
            as source_artifact_key,
            ({{ source.own_family or tidegate.literal(source.family) }})::text as source_family,
            ({{ source.native }})::text as source_native_id,
            ({{ source.get("version", "'sha256:' || landed._artifact_sha256") }})::text
            as source_version_id,
            ({{ source.own_semantics or tidegate.literal(source.get("semantics", "weak")) }})::text
            as version_semantics,
            'artifact:sha256/' || landed._artifact_sha256 as immutable_uri,
            landed._artifact_sha256::text as content_hash,
            {{ tidegate.literal(source.media) }}::text as media_type,
            ({{ source.get("observed", "landed._received_at") }})::timestamptz as observed_at,
            landed._received_at as fetched_at,
            landed._delivery_id as delivery_id
        from {{ source.relation }} as landed
        {% if not loop.last %}
            union all
        {% endif %}
    {%- endfor %}
{%- endmacro -%}
