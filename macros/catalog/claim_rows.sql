{#- Claims of parsers, one row each, with what makes their artefact immutable beside them. An entry is a
    mapping: `relation` (with the columns of `receipt_columns`), `type`, `family`, `tier`, `parser`, and
    SQL of `key` (whose fact it is), `fact` (a literal's text, not SQL), `number`, `text`, `unit`,
    `shape` (a literal), `locator`, `quote`, `language`, `native`, `version`, `semantics`, `observed`,
    `where`; `high_impact` is a boolean. -#}
{%- macro claim_rows(entries) -%}
    {%- for entry in entries %}
        {{ tidegate.claims_of(entry) }}
        {% if not loop.last %}
            union all
        {% endif %}
    {%- endfor %}
{%- endmacro -%}

{#- The name of a claim, as SQL: its type and fact are texts, `key` is SQL of whose fact it is. -#}
{%- macro claim_id(type, key, fact) -%}
    'claim:'
    || {{ tidegate.literal(type) }}
    || ':'
    || {{ key }}
    || ':'
    || {{ tidegate.literal(fact) }}
{%- endmacro -%}

{#- The claims of one entry. -#}
{%- macro claims_of(entry) -%}
    select
        {{ tidegate.claim_id(entry.type, entry.key, entry.fact) }} as claim_id,
        {{ tidegate.literal(entry.type) }}::text as claim_type,
        ({{ entry.key }})::text as subject_key,
        {{ tidegate.literal(entry.fact) }}::text as fact_path,
        ({{ entry.get("text", "null") }})::text as value_text,
        ({{ entry.get("number", "null") }})::numeric as value_num,
        ({{ entry.get("unit", "null") }})::text as unit,
        staged.source_artifact_key,
        ({{ entry.version }})::text as source_version_id,
        {{ entry.family }}::text as source_family,
        {{ entry.tier }}::text as source_authority_tier,
        {{ tidegate.literal(entry.shape) }}::text as locator_shape,
        ({{ entry.locator }})::jsonb as locator,
        ({{ entry.get("quote", "null") }})::text as source_text,
        'exact_span'::text as source_text_coverage,
        ({{ entry.get("language", "'en'") }})::character(2) as language_code,
        'deterministic_parser'::text as produced_by,
        {{ tidegate.literal(entry.parser) }}::text as parser_version,
        null::text as attempt_id,
        true as canonical_bound,
        {{ entry.get("high_impact", false) }} as high_impact,
        staged.received_at as recorded_at,
        ({{ entry.native }})::text as source_native_id,
        {{ entry.semantics }}::text as version_semantics,
        staged.immutable_uri,
        null::text as live_url,
        staged.content_sha256 as content_hash,
        'sha256'::text as content_hash_algorithm,
        ({{ entry.get("observed", "staged.received_at") }})::timestamptz as observed_at,
        staged.received_at as fetched_at,
        null::text as supersedes_artifact_key
    from {{ entry.relation }} as staged
    {%- if entry.get("where") %} where {{ entry.where }} {%- endif %}
{%- endmacro -%}

{#- The columns of a claim, as `evidence.claims` has them. `bound`: SQL of whether facts may stand on it. -#}
{%- macro claim_columns(alias, bound=none) -%}
    {%- for column in [
        "claim_id", "claim_type", "subject_key", "fact_path", "value_text", "value_num", "unit",
        "source_artifact_key", "source_version_id", "source_family", "source_authority_tier",
        "locator_shape", "locator", "source_text", "source_text_coverage", "language_code",
        "produced_by", "parser_version", "attempt_id", "canonical_bound", "high_impact", "recorded_at",
    ] %}
        {%- if bound and column == "canonical_bound" %} {{ bound }} as canonical_bound
        {%- else %} {{ alias }}.{{ column }}
        {%- endif %}
        {{- "," if not loop.last }}
    {%- endfor %}
{%- endmacro -%}
