{#- The columns of a receipt of a row as one of a fact that an overlay is behind, of `receipt`. -#}
{%- macro receipt_of_overlay(overlays) -%}
    {{ tidegate.receipt_but("receipt", {
        "receipt_key": "receipt.receipt_key || '|' || " ~ overlays ~ ".overlay_key",
        "fact_path": overlays ~ ".fact_path",
        "curation_overlay_key": overlays ~ ".overlay_key",
    }) }}
{%- endmacro -%}

{#- Receipts of facts that curators link: one for each receipt of the row, which names the overlay. An
    entry is a mapping: `model`, `fact`, `rows` (the relation that the model's rows were read from, as
    `linked`), `key` (its row key), `kind` of the link and SQL of its `subject`. -#}
{%- macro linked_receipts(receipts, entries) -%}
    select {{ tidegate.receipt_of_overlay("overlaid") }}
    from {{ receipts }} as receipt
    inner join
        (
            {%- for entry in entries %}
                select
                    {{ tidegate.literal(entry.model) }} as model_name,
                    {{ tidegate.row_key(entry.key, "linked") }} as row_key,
                    {{ tidegate.literal(entry.fact) }} as fact_path,
                    overlays.overlay_key
                from {{ ref("int_curation_overlays") }} as overlays
                inner join {{ entry.rows }} as linked on {{ entry.subject }} = overlays.subject_key
                where {{ tidegate.changes_a_link("overlays", entry.kind) }}
                {% if not loop.last %}
                    union all
                {% endif %}
            {%- endfor %}
        ) as overlaid
        on overlaid.model_name = receipt.model_name
        and overlaid.row_key = receipt.row_key
    where receipt.fact_path = '$row'
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
    {{ tidegate.receipt_of_overlay("overlays") }}
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
