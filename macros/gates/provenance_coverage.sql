{#- Every row, and under `fact_required` every fact of it that is not null, has a complete receipt in
    the family's provenance. `relation`: as SQL; `provenance`: the family's q_provenance as SQL, none
    where there is none; `facts`: columns; `bundled`: the relation carries provenance_bundle_key;
    `told`: receipts have a role, and one that supports a fact or contradicts it proves none;
    `curated`: see `curated_coverage`, none where the project has no curation; `claimed`: receipts name
    claims and attempts, and one of what a model said names both. -#}
{%- macro provenance_coverage(
    relation,
    subject,
    row_key,
    policy,
    facts,
    provenance,
    bundled=false,
    where=none,
    when_empty="block",
    curated=none,
    told=false,
    claimed=false
) -%}
    {%- set required = policy in ("row_required", "fact_required") -%}
    with
        checked as not materialized(
            select *
            from {{ tidegate.looked_at(relation) }}
            {%- if where %} where ({{ where }}) {%- endif %}
        ),
        claims as (
            {{ tidegate.provenance_claims(row_key, facts if policy == "fact_required" else [], bundled) }}
        )
        {%- if policy != "none" and provenance %}
            ,
            doubts as materialized(
                {{ tidegate.provenance_doubts(subject, provenance, required, bundled, told) }}
            )
        {%- endif %}
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
        {%- if claimed %} {{ tidegate.receipts_of_models(subject, provenance) }}
        {%- endif %}
        {%- if curated %} {{ tidegate.curated_coverage(subject, row_key, provenance, curated) }}
        {%- endif %}
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

{#- Claims without a receipt, and receipts that lack something. One join finds both, and both are few,
    so no receipt that is whole is ever sorted or grouped. What a receipt lacks is one number before it
    is joined: nothing else of it has to be carried along. -#}
{%- macro provenance_doubts(subject, provenance, required, bundled, told) -%}
    select
        claims.row_key,
        claims.fact_path,
        claims.bundle,
        receipt.lacks is null as absent,
        receipt.lacks & 1 > 0 as no_artifact,
        receipt.lacks & 2 > 0 as no_hash,
        receipt.lacks & 4 > 0 as no_version,
        receipt.lacks & 8 > 0 as no_locator,
        receipt.lacks & 16 > 0 as partial
    from claims {{ "left" if required else "inner" }}
    join
        (
            select
                receipts.row_key,
                receipts.fact_path,
                {%- if bundled %} receipts.provenance_bundle_key::text as bundle, {%- endif %}
                {{ tidegate.receipt_lacks() }} as lacks
            from {{ provenance }} as receipts
            where
                receipts.model_name = {{ tidegate.literal(subject) }}
                {%- if told %}
                    and (receipts.role in ('supporting', 'conflicting')) is not true
                {%- endif %}
        ) as receipt
        on receipt.row_key = claims.row_key
        and receipt.fact_path = claims.fact_path
        {%- if bundled %} and receipt.bundle = claims.bundle {%- endif %}
    where receipt.lacks is distinct from 0
{%- endmacro -%}

{#- What a receipt lacks, as bits: artefact, hash, version, locator, completeness; most lack nothing. -#}
{%- macro receipt_lacks() -%}
    {%- set texts = ["source_artifact_key", "source_content_hash", "source_version_id"] -%}
    case
        when
            receipts.completeness = 'complete' and receipts.locator is not null
            {%- for name in texts %}
                and not {{ tidegate.perhaps_blank("receipts." ~ name) }}
            {%- endfor %}
        then 0
        else
            {%- for name in texts %}
                case
                    when coalesce(btrim(receipts.{{ name }}), '') = ''
                    then {{ 2 ** loop.index0 }}
                    else 0
                end
                +
            {%- endfor %}
            case when receipts.locator is null then 8 else 0 end
            + case when receipts.completeness is distinct from 'complete' then 16 else 0 end
    end
{%- endmacro -%}

{%- macro provenance_violations(subject, provenance, required, bundled) -%}
    {%- set model_name = tidegate.literal(subject) -%}
    {%- set unbundled = "doubts.bundle is null" if bundled else "false" -%}
    {%- if required %}
        select
            doubts.row_key,
            'block'::text as level,
            case when {{ unbundled }} then 'bundle_missing' else 'receipt_missing' end as reason,
            jsonb_build_object(
                'model',
                {{ model_name }}::text,
                'fact_path',
                doubts.fact_path,
                'missing',
                case when {{ unbundled }} then array['provenance_bundle_key'] end
            ) as metadata
        from doubts
        where doubts.absent
        union all
    {%- endif %}
    select
        doubts.row_key,
        lacking.level,
        lacking.reason,
        jsonb_build_object(
            'model',
            {{ model_name }}::text,
            'fact_path',
            doubts.fact_path,
            'missing',
            array_agg(distinct lacking.key order by lacking.key)
        ) as metadata
    from doubts
    cross join
        lateral(
            values
                (doubts.no_artifact, 'block', 'receipt_incomplete', 'source_artifact_key'),
                (doubts.no_hash, 'block', 'receipt_incomplete', 'source_content_hash'),
                (doubts.partial, 'warn', 'receipt_partial', 'completeness'),
                (doubts.no_version, 'warn', 'receipt_partial', 'source_version_id'),
                (doubts.no_locator, 'warn', 'receipt_partial', 'locator')
        ) as lacking(applies, level, reason, key)
    where lacking.applies and not doubts.absent
    group by doubts.row_key, doubts.fact_path, lacking.level, lacking.reason
{%- endmacro -%}

{#- Receipts of what a model said, in whatever role, that do not name its claim and its attempt. -#}
{%- macro receipts_of_models(subject, provenance) -%}
    union all
    select
        receipts.row_key,
        'warn'::text,
        'receipt_partial'::text,
        jsonb_build_object(
            'model',
            {{ tidegate.literal(subject) }}::text,
            'fact_path',
            receipts.fact_path,
            'missing',
            array_remove(
                array[
                    case when receipts.attempt_id is null then 'attempt_id' end,
                    case when receipts.claim_id is null then 'claim_id' end
                ],
                null
            )
        )
    from {{ provenance }} as receipts
    where
        receipts.model_name = {{ tidegate.literal(subject) }}
        and receipts.source_authority_tier = 'model_inferred'
        and num_nulls(receipts.attempt_id, receipts.claim_id) > 0
{%- endmacro -%}

{%- macro provenance_coverage_arguments() -%}
    {{- {"relations": {"overlays": "int_curation_overlays"}, "options": {"links": []}} | tojson -}}
{%- endmacro -%}
