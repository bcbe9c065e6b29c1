{#- The columns of a receipt of a row as one of another fact, which is no claim, of `receipt`. -#}
{%- macro receipt_of_fact(fact, key, said) -%}
    {{ tidegate.receipt_but("receipt", dict(
        {"claim_id": "null::text", "attempt_id": "null::text", "resolution_link_key": "null::text"},
        receipt_key="receipt.receipt_key || '|' || " ~ key,
        fact_path=fact,
        **said
    )) }}
{%- endmacro -%}

{#- Receipts of facts that a link resolves: one for each receipt of the row, which names the link, the
    attempt of the model that verified it where it rests on that, and the overlay with which a curator
    corrected or suppressed it. An entry is a mapping: `model`, `fact`, `rows` (the relation that the model's
    rows were read from, as `linked`), `key` (its row key), `kind` of the link and SQL of its
    `subject`; `several` where one fact may rest on several links, each of which gets a receipt. `links` is the relation that has them; without one only overlays are named. -#}
{%- macro linked_receipts(receipts, entries, links=none) -%}
    select
        {{ tidegate.receipt_of_fact(
            "resolved.fact_path",
            "concat_ws('|', resolved.fact_path, resolved.apart, resolved.overlay_key)",
            {
                "curation_overlay_key": "resolved.overlay_key",
                "attempt_id": "resolved.attempt_id",
                "resolution_link_key": "resolved.link_key",
            },
        ) }}
    from {{ receipts }} as receipt
    inner join
        (
            {%- for entry in entries %}
                {{ tidegate.resolved_facts(entry, links) }}
                {% if not loop.last %}
                    union all
                {% endif %}
            {%- endfor %}
        ) as resolved
        on resolved.model_name = receipt.model_name
        and resolved.row_key = receipt.row_key
    where receipt.fact_path = '$row'
{%- endmacro -%}

{#- The rows of one entry whose fact has a link, or an overlay that says that it has none. -#}
{%- macro resolved_facts(entry, links) -%}
    select
        {{ tidegate.literal(entry.model) }} as model_name,
        {{ tidegate.row_key(entry.key, "linked") }} as row_key,
        {{ tidegate.literal(entry.fact) }} as fact_path,
        {{ "links.link_key" if links else "null::text as link_key" }},
        {{ "links.attempt_id" if links else "null::text as attempt_id" }},
        overlays.overlay_key,
        {{ entry.subject if entry.get("several") else "null::text" }} as apart
    from {{ entry.rows }} as linked
    {%- if links %}
        left join
            {{ links }} as links
            on links.subject_kind = {{ tidegate.literal(entry.kind) }}
            and links.subject_key = {{ entry.subject }}
    {%- endif %}
    left join
        {{ ref("int_curation_overlays") }} as overlays
        on overlays.subject_key = {{ entry.subject }}
        and {{ tidegate.changes_a_link("overlays", entry.kind) }}
    where {{ "links.link_key is not null or" if links }} overlays.overlay_key is not null
{%- endmacro -%}

{#- After a family's receipts are built: those of a fact that an overlay changed, and of a row that one
    withheld, name it. A fact without a receipt of its own gets one from each receipt of its row. -#}
{%- macro name_overlays(overlays) -%}
    update {{ this }} as receipt
    set curation_overlay_key = overlays.overlay_key
    from {{ overlays }} as overlays
    where
    {{ tidegate.changes_a_row("overlays") }}
        and overlays.subject_key = receipt.provenance_bundle_key
        and overlays.fact_path = receipt.fact_path
        and receipt.curation_overlay_key is null
    ;
    insert into {{ this }} ({{ tidegate.receipt_names() | join(", ") }})
    select
    {{ tidegate.receipt_of_fact(
        "overlays.fact_path",
        "overlays.overlay_key",
        {"curation_overlay_key": "overlays.overlay_key"},
    ) }}
    from {{ this }} as receipt
    inner join
    {{ overlays }} as overlays on overlays.subject_key = receipt.provenance_bundle_key
    where
    {{ tidegate.changes_a_row("overlays") }}
        and receipt.fact_path = '$row'
        and not exists (
            select from {{ this }} as named where named.curation_overlay_key = overlays.overlay_key
        )
    ;
{%- endmacro -%}
