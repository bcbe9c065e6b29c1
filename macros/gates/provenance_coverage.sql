{#- Every row, and under `fact_required` every fact of it that is not null, has a complete receipt in
    the family's provenance. `relation`: as SQL; `provenance`: the family's q_provenance as SQL, none
    where there is none; `facts`: columns; `bundled`: the relation carries provenance_bundle_key. -#}
{%- macro provenance_coverage(
    relation,
    subject,
    row_key,
    policy,
    facts,
    provenance,
    bundled=false,
    where=none,
    when_empty="block"
) -%}
    {%- set required = policy in ("row_required", "fact_required") -%}
    with
        checked as not materialized(
            select * from {{ relation }} {%- if where %} where ({{ where }}) {%- endif %}
        ),
        claims as (
            {{ tidegate.provenance_claims(row_key, facts if policy == "fact_required" else [], bundled) }}
        )
        {{ tidegate.not_evaluated("checked", subject, "ignore" if policy == "none" else when_empty) }}
    {%- if policy == "fact_required" and not facts %}
        union all
        select
            {{ tidegate.literal(subject) }}::text,
            'block'::text,
            'facts_undeclared'::text,
            '{}'::jsonb
    {%- endif %}
    {%- if not provenance and required %}
        union all
        select
            claims.row_key,
            'block'::text,
            'receipt_missing'::text,
            jsonb_build_object(
                'model', {{ tidegate.literal(subject) }}::text, 'fact_path', claims.fact_path
            )
        from claims
    {%- elif policy != "none" and provenance %}
        union all
        {{ tidegate.provenance_violations(subject, provenance, required, bundled) }}
    {%- endif %}
{%- endmacro -%}

{#- What needs a receipt: each row as `$row`, each fact that holds a value by its column. -#}
{%- macro provenance_claims(row_key, facts, bundled) -%}
    {%- set bundle = "child.provenance_bundle_key::text" if bundled else "null::text" -%}
    select
        {{ tidegate.row_key(row_key, "child") }} as row_key,
        {{ bundle }} as bundle,
        '$row'::text as fact_path
    from checked as child
    {%- for fact in facts %}
        union all
        select
            {{ tidegate.row_key(row_key, "child") }},
            {{ bundle }},
            {{ tidegate.literal(fact) }}::text
        from checked as child
        where child.{{ tidegate.identifier(fact) }} is not null
    {%- endfor %}
{%- endmacro -%}

{#- Claims without a receipt, and receipts that lack something; both are few, so no receipt that is
    whole is ever sorted or grouped. -#}
{%- macro provenance_violations(subject, provenance, required, bundled) -%}
    {%- set model_name = tidegate.literal(subject) -%}
    {%- set matches -%}
        receipt.model_name = {{ model_name }}
        and receipt.row_key = claims.row_key
        and receipt.fact_path = claims.fact_path
        {%- if bundled %} and receipt.provenance_bundle_key::text = claims.bundle {%- endif %}
    {%- endset -%}
    {%- set unbundled = "claims.bundle is null" if bundled else "false" -%}
    {%- if required %}
        select
            claims.row_key,
            'block'::text as level,
            case when {{ unbundled }} then 'bundle_missing' else 'receipt_missing' end as reason,
            jsonb_build_object(
                'model',
                {{ model_name }}::text,
                'fact_path',
                claims.fact_path,
                'missing',
                case when {{ unbundled }} then array['provenance_bundle_key'] end
            ) as metadata
        from claims
        where not exists (select 1 from {{ provenance }} as receipt where {{ matches }})
        union all
    {%- endif %}
    select
        claims.row_key,
        lacking.level,
        lacking.reason,
        jsonb_build_object(
            'model',
            {{ model_name }}::text,
            'fact_path',
            claims.fact_path,
            'missing',
            array_agg(distinct lacking.key order by lacking.key)
        ) as metadata
    from claims
    inner join {{ provenance }} as receipt on {{ matches }}
    cross join
        lateral(
            values
                (
                    receipt.source_artifact_key is null,
                    'block',
                    'receipt_incomplete',
                    'source_artifact_key'
                ),
                (
                    receipt.source_content_hash is null,
                    'block',
                    'receipt_incomplete',
                    'source_content_hash'
                ),
                (
                    receipt.completeness is distinct from 'complete',
                    'warn',
                    'receipt_partial',
                    'completeness'
                ),
                (receipt.source_version_id is null, 'warn', 'receipt_partial', 'source_version_id'),
                (receipt.locator is null, 'warn', 'receipt_partial', 'locator')
        ) as lacking(applies, level, reason, key)
    where
        lacking.applies
        and (
            num_nulls(
                receipt.source_artifact_key,
                receipt.source_content_hash,
                receipt.source_version_id,
                receipt.locator
            )
            > 0
            or receipt.completeness is distinct from 'complete'
        )
    group by claims.row_key, claims.fact_path, lacking.level, lacking.reason
{%- endmacro -%}
