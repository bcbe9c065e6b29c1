{#- Artefacts are kept as immutable bytes: where, under which hash, as which version, fetched when. The
    judged rows are the artefacts themselves or, where `relations.artifacts` names them, claims that
    rest on one; what `columns` says a claim repeats of it (`source_content_hash`,
    `source_immutable_uri`) is there and the same. Option: `algorithms`, how many hexadecimal digits a hash of each has. -#}
{%- macro source_artifact_immutability(gate) -%}
    {%- set of_claims = "artifacts" in gate.relations -%}
    {%- set artifact = {
        "source_artifact_key": "text", "source_family": "text", "source_native_id": "text",
        "source_version_id": "text", "immutable_uri": "text", "live_url": "text",
        "content_hash": "text", "content_hash_algorithm": "text", "observed_at": "timestamptz",
        "fetched_at": "timestamptz", "supersedes_artifact_key": "text",
    } -%}
    {%- set claim = {"source_artifact_key": "text"} -%}
    {%- set repeated = ["source_content_hash", "source_immutable_uri"] if of_claims else [] -%}
    {%- set repeated = repeated | select("in", gate.columns) | list -%}
    {%- for name in repeated -%} {%- set _ = claim.update({name: "text"}) -%} {%- endfor -%}
    {%- set names = ["source_artifact_key"] + (
        ["artifacts.source_family", "artifacts.source_version_id"]
        if of_claims
        else ["source_family", "source_version_id"]
    ) -%}
    {{ tidegate.gate_rows(gate, claim if of_claims else artifact) }}
    {%- if of_claims %} {{ tidegate.gate_relation(gate, "artifacts", artifact) }}
    {%- else %}
        ,
        artifacts as not materialized(
            select {{ tidegate.named_columns(gate, artifact, "checked") }} from checked
        )
    {%- endif %},
    kept as materialized({{ tidegate.artifact_versions(gate.options.algorithms) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, names) }} || jsonb_build_object(
            'model',
            {{ tidegate.literal(gate.subject) }}::text,
            'missing',
            artifacts.missing || {{ tidegate.blank_names("judged", repeated) }}
        )
    from judged
    left join kept as artifacts on artifacts.source_artifact_key = judged.source_artifact_key
    cross join
        lateral({{ tidegate.source_artifact_immutability_findings(gate, repeated) }}) as found(
            applies, level, reason
        )
    where found.applies and ({{ tidegate.artifact_doubtful(repeated) }})
{%- endmacro -%}

{#- Whether anything can be wrong with a claim at all: one look that spares most of them the list of
    findings, none of which applies where this is not true. What a claim repeats of a whole artefact
    is whole. -#}
{%- macro artifact_doubtful(repeated) -%}
    artifacts.source_artifact_key is null
    or cardinality(artifacts.missing) > 0
    or artifacts.malformed
    or artifacts.changed
    or artifacts.live_url is not null
    {%- for name in repeated %}
        or judged.{{ name }} is distinct from artifacts.{{ name | replace("source_", "") }}
    {%- endfor %}
{%- endmacro -%}

{#- Artefacts with what each lacks, whether its hash can be one, and whether its bytes differ from those
    kept before as the same version without saying that it supersedes them. Many claims rest on one
    artefact: all of this is found once for it. -#}
{%- macro artifact_versions(algorithms) -%}
    select
        sorted.*,
        {{
            tidegate.blank_names(
                "sorted",
                [
                    "immutable_uri",
                    "content_hash",
                    "content_hash_algorithm",
                    "source_version_id",
                    "observed_at",
                    "fetched_at",
                ],
            )
        }} as missing,
        btrim(sorted.content_hash) <> ''
        and btrim(sorted.content_hash_algorithm) <> ''
        and case
            sorted.content_hash_algorithm
            {%- for algorithm, digits in algorithms.items() %}
                when {{ tidegate.literal(algorithm) }}
                then sorted.content_hash !~ {{ tidegate.literal("^[0-9a-fA-F]{" ~ digits ~ "}$") }}
            {%- endfor %}
            else true
        end as malformed,
        sorted.source_version_id is not null
        and sorted.content_hash <> sorted.hash_before
        and not coalesce(sorted.supersedes_artifact_key = any(sorted.keys_before), false) as changed
    from
        (
            select
                artifacts.*,
                lag(artifacts.content_hash) over versions as hash_before,
                array_agg(artifacts.source_artifact_key) over (
                    versions rows between unbounded preceding and 1 preceding
                ) as keys_before
            from artifacts
            window
                versions as (
                    partition by
                        artifacts.source_family,
                        artifacts.source_native_id,
                        artifacts.source_version_id
                    order by artifacts.fetched_at nulls first, artifacts.source_artifact_key
                )
        ) as sorted
{%- endmacro -%}

{#- What is wrong with one artefact. -#}
{%- macro source_artifact_immutability_findings(gate, repeated) -%}
    {%- set needed = [
        "immutable_uri", "content_hash", "content_hash_algorithm", "source_version_id",
    ] -%}
    values
        (artifacts.source_artifact_key is null, 'block', 'artifact_missing'),
        (artifacts.missing && {{ tidegate.text_array(needed) }}, 'block', 'artifact_incomplete'),
        (
            (artifacts.live_url is not null and 'immutable_uri' = any(artifacts.missing))
            or artifacts.immutable_uri = artifacts.live_url,
            'block',
            'live_url_only'
        ),
        (artifacts.malformed, 'block', 'hash_malformed'),
        (artifacts.changed, 'block', 'content_changed'),
        {%- for name in repeated %}
            (coalesce(btrim(judged.{{ name }}), '') = '', 'block', 'artifact_incomplete'),
            (
                nullif(btrim(judged.{{ name }}), '')
                <> artifacts.{{ name | replace("source_", "") }},
                'block',
                'artifact_differs'
            ),
        {%- endfor %}
        (
            artifacts.missing && array['observed_at', 'fetched_at']::text[],
            'warn',
            'artifact_metadata_incomplete'
        )
{%- endmacro -%}

{%- macro source_artifact_immutability_arguments() -%}
    {{-
        {
            "relations": {"artifacts": none},
            "options": {"algorithms": {"sha256": 64, "sha512": 128, "blake2b": 128}},
        }
        | tojson
    -}}
{%- endmacro -%}
