{#- The receipts of a family: one complete row for each entry of each attested relation. An entry is
    a mapping: `model` and `staged` (the relation that its rows were read from, with the columns of
    `receipt_columns`), `key` (its row key), and where they differ from the default `fact` ($row),
    `pointer` (SQL of an RFC 6901 pointer into a JSON record; without one the record is the locator), `quote` (SQL of the
    quoted words),
    `version` (SQL of the source's own version; without one the hash of its bytes is the version),
    `role` (SQL) with `said_by` (SQL of what speaks beside the source that the fact stands on), `where`. `authority` is the tier of the source, or each entry's own; `tier` is SQL of it, where
    rows of one relation come from several. `claim` (SQL of its id) is the claim that the row or the fact
    is; a receipt names it, and the attempt of the model that made it, where `claims` has it
    (`claim_id`, `attempt_id`, `canonical_bound`) and facts may stand on it. -#}
{%- macro receipt_rows(attested, authority=none, claims=none) -%}
    with
        located as (
            {%- for entry in attested %}
                {{ tidegate.located_rows(entry, entry.get("authority", authority)) }}
                {% if not loop.last %}
                    union all
                {% endif %}
            {%- endfor %}
        )
    select
        located.model_name
        || '|'
        || located.row_key
        || '|'
        || located.fact_path
        || coalesce('|' || located.role || '|' || located.said_by, '') as receipt_key,
        located.model_name || '|' || located.row_key as provenance_bundle_key,
        located.model_name,
        located.row_key,
        located.fact_path,
        located.role,
        located.source_artifact_key,
        located.source_version_id,
        located.content_sha256 as source_content_hash,
        located.immutable_uri as source_immutable_uri,
        case
            when located.quote is not null
            then 'text_quote'
            when located.pointer is not null
            then 'json_pointer'
            else 'csv_record'
        end as locator_shape,
        jsonb_strip_nulls(
            jsonb_build_object(
                'record', located.record_number, 'pointer', located.pointer, 'exact', located.quote
            )
        ) as locator,
        located.source_authority_tier,
        'complete'::text as completeness,
        located.received_at as recorded_at,
        null::text as curation_overlay_key,
        {{ tidegate.claim_of_receipt("claims" if claims) }}
    from located
    {%- if claims %}
        left join
            {{ claims }} as claims on claims.claim_id = located.claim_id and claims.canonical_bound
    {%- endif %}
{%- endmacro -%}

{#- The last columns of a receipt of a source: the claim that it is, of `claims` if there are any. -#}
{%- macro claim_of_receipt(claims) -%}
    {{ claims ~ ".claim_id" if claims else "null::text as claim_id" }},
    {{ claims ~ ".attempt_id" if claims else "null::text as attempt_id" }},
    null::text as resolution_link_key
{%- endmacro -%}

{#- The rows of one entry, with where their facts stand. -#}
{%- macro located_rows(entry, authority) -%}
    select
        {{ tidegate.literal(entry.model) }}::text as model_name,
        {{ tidegate.row_key(entry.key, "staged") }} as row_key,
        {{ tidegate.literal(entry.get("fact", "$row")) }}::text as fact_path,
        {{ entry.get("role", "'primary'::text") }} as role,
        {{ entry.get("said_by", "null::text") }} as said_by,
        staged.source_artifact_key,
        {{ entry.get("version", "'sha256:' || staged.content_sha256") }} as source_version_id,
        staged.content_sha256,
        staged.immutable_uri,
        staged.record_number,
        {{ entry.get("pointer", "null::text") }} as pointer,
        {{ entry.get("quote", "null::text") }} as quote,
        ({{ entry.get("tier") or tidegate.literal(authority) }})::text as source_authority_tier,
        {{ entry.get("claim", "null::text") }} as claim_id,
        staged.received_at
    from {{ entry.staged }} as staged
    {%- if entry.get("where") %} where {{ entry.where }} {%- endif %}
{%- endmacro -%}

{#- The columns of a receipt, as every `q_provenance__<family>` has them. -#}
{%- macro receipt_names() -%}
    {{-
        return(
            [
                "receipt_key", "provenance_bundle_key", "model_name", "row_key", "fact_path", "role",
                "source_artifact_key", "source_version_id", "source_content_hash", "source_immutable_uri",
                "locator_shape", "locator", "source_authority_tier", "completeness", "recorded_at",
                "curation_overlay_key", "claim_id", "attempt_id", "resolution_link_key",
            ]
        )
    -}}
{%- endmacro -%}

{#- The columns of a receipt that is made of another one: what the source says stands where it stood.
    `said`: SQL of the columns that differ, by name. -#}
{%- macro receipt_but(receipt, said) -%}
    {%- for name in tidegate.receipt_names() -%}
        {{ said[name] ~ " as " ~ name if name in said else receipt ~ "." ~ name }}
        {{- ", " if not loop.last }}
    {%- endfor -%}
{%- endmacro -%}

{#- The columns of a receipt of a row of `made` (with `model_name` and `row_key`) that was made of the row
    of another receipt. `rest`: SQL of what follows the row in the key of the receipt; `said`: SQL of
    further columns that differ. Which receipts of the row are taken along, says `goes_along`. -#}
{%- macro receipt_of_made(made, receipt, rest, said) -%}
    {%- set row = made ~ ".model_name || '|' || " ~ made ~ ".row_key" -%}
    {{ tidegate.receipt_but(receipt, dict(
        said,
        receipt_key=row ~ " || '|' || " ~ rest,
        provenance_bundle_key=row,
        model_name=made ~ ".model_name",
        row_key=made ~ ".row_key",
    )) }}
{%- endmacro -%}

{#- Whether a receipt of a row is one of a row of `made` too: that of the row, those behind which an overlay
    is, and those of the columns that the made row keeps (`kept_columns`). -#}
{%- macro goes_along(made, receipt) -%}
    (
        {{ receipt }}.fact_path = '$row'
        or {{ receipt }}.curation_overlay_key is not null
        or {{ receipt }}.fact_path = any({{ made }}.kept_columns)
    )
{%- endmacro -%}

{#- The fact of a receipt that goes along: a column that the made row keeps, or else the row. -#}
{%- macro fact_along(made, receipt) -%}
    case
        when {{ receipt }}.fact_path = any({{ made }}.kept_columns)
        then {{ receipt }}.fact_path
        else '$row'
    end
{%- endmacro -%}

{#- What tells the receipts apart that go along, as the end of a receipt's key. -#}
{%- macro along_key(receipt) -%}
    coalesce('|' || nullif({{ receipt }}.fact_path, '$row'), '')
    || coalesce('|' || {{ receipt }}.curation_overlay_key, '')
{%- endmacro -%}
