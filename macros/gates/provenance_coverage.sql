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

{%- macro provenance_violations(subject, provenance, required, bundled) -%}
    select
        claims.row_key,
        finding.level,
        finding.reason,
        jsonb_build_object(
            'model',
            {{ tidegate.literal(subject) }}::text,
            'fact_path',
            claims.fact_path,
            'missing',
            finding.missing
        ) as metadata
    from claims
    left join
        (
            select
                receipt.row_key,
                receipt.fact_path
                {%- if bundled %}, receipt.provenance_bundle_key::text as bundle {%- endif %},
                bool_or(receipt.source_artifact_key is null) as no_artifact,
                bool_or(receipt.source_content_hash is null) as no_hash,
                bool_or(receipt.source_version_id is null) as no_version,
                bool_or(receipt.locator is null) as no_locator,
                bool_or(receipt.completeness is distinct from 'complete') as partial
            from {{ provenance }} as receipt
            where receipt.model_name = {{ tidegate.literal(subject) }}
            group by
                receipt.row_key,
                receipt.fact_path
                {%- if bundled %}, receipt.provenance_bundle_key {%- endif %}
        ) as receipts
        on receipts.row_key = claims.row_key
        and receipts.fact_path = claims.fact_path
        {%- if bundled %} and receipts.bundle = claims.bundle {%- endif %}
    cross join
        lateral(
            values
                {%- if required %}
                    {%- if bundled %}
                        (
                            claims.bundle is null,
                            'block',
                            'bundle_missing',
                            array['provenance_bundle_key']
                        ),
                        (
                            claims.bundle is not null and receipts.row_key is null,
                            'block',
                            'receipt_missing',
                            null
                        ),
                    {%- else %}
                        (receipts.row_key is null, 'block', 'receipt_missing', null::text[]),
                    {%- endif %}
                {%- endif %}
                (
                    receipts.no_artifact or receipts.no_hash,
                    'block',
                    'receipt_incomplete',
                    array_remove(
                        array[
                            case when receipts.no_artifact then 'source_artifact_key' end,
                            case when receipts.no_hash then 'source_content_hash' end
                        ],
                        null
                    )
                ),
                (
                    receipts.partial or receipts.no_version or receipts.no_locator,
                    'warn',
                    'receipt_partial',
                    array_remove(
                        array[
                            case when receipts.partial then 'completeness' end,
                            case when receipts.no_version then 'source_version_id' end,
                            case when receipts.no_locator then 'locator' end
                        ],
                        null
                    )
                )
        ) as finding(applies, level, reason, missing)
    where finding.applies
{%- endmacro -%}
