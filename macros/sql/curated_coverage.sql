{#- A part of `provenance_coverage`: whatever a curator changed says so in its receipts, and no receipt
    names an overlay that is not in force. `curated`: `overlays` as SQL, `named` (the receipts have the
    column curation_overlay_key), `links` (facts that hold the target of a link: `fact`, `kind` of
    the link, `subject`, the column with its key or, beside a `slice`, with a name of that slice;
    `rows` as SQL, where that column is one of the relation that the rows were read from). -#}
{%- macro curated_coverage(subject, row_key, provenance, curated) -%}
    {%- set model_name = tidegate.literal(subject) %}
    union all
    select
        changed.row_key,
        'block'::text,
        'overlay_unnamed'::text,
        jsonb_build_object(
            'model',
            {{ model_name }}::text,
            'fact_path',
            changed.fact_path,
            'overlay_key',
            changed.overlay_key
        )
    from ({{ tidegate.curated_facts(subject, row_key, provenance, curated) }}) as changed
    {%- if curated.named %}
        where
            not exists (
                select
                from {{ provenance }} as receipt
                where
                    receipt.model_name = {{ model_name }}
                    and receipt.row_key = changed.row_key
                    and receipt.fact_path = changed.fact_path
                    and receipt.curation_overlay_key = changed.overlay_key
            )
        union all
        select
            receipt.row_key,
            'block'::text,
            'overlay_not_in_force'::text,
            jsonb_build_object(
                'model',
                {{ model_name }}::text,
                'fact_path',
                receipt.fact_path,
                'overlay_key',
                receipt.curation_overlay_key
            )
        from {{ provenance }} as receipt
        where
            receipt.model_name = {{ model_name }}
            and receipt.curation_overlay_key is not null
            and not exists (
                select
                from {{ curated.overlays }} as overlays
                where overlays.is_active and overlays.overlay_key = receipt.curation_overlay_key
            )
    {%- endif %}
{%- endmacro -%}

{#- What overlays changed: facts of rows that are there, rows that are not but have receipts, and facts
    that hold the target that a curator gave a link. -#}
{%- macro curated_facts(subject, row_key, provenance, curated) -%}
    {%- set this_row = tidegate.row_key(row_key, "child") -%}
    {#- No overlay of this model, and the server does not look at its rows for one. -#}
    {%- set own = "starts_with(overlays.subject_key, " ~ tidegate.literal(subject ~ "|") ~ ")" -%}
    select {{ this_row }} as row_key, overlays.fact_path, overlays.overlay_key
    from {{ curated.overlays }} as overlays
    inner join
        checked as child
        on overlays.subject_key = {{ tidegate.literal(subject ~ "|") }} || {{ this_row }}
    where {{ tidegate.changes_a_row("overlays") }} and {{ own }}
    union all
    select distinct receipt.row_key, overlays.fact_path, overlays.overlay_key
    from {{ curated.overlays }} as overlays
    inner join
        {{ provenance }} as receipt
        on receipt.model_name = {{ tidegate.literal(subject) }}
        and receipt.fact_path = overlays.fact_path
        and overlays.subject_key = {{ tidegate.literal(subject ~ "|") }} || receipt.row_key
    where {{ tidegate.changes_a_row("overlays") }} and {{ own }} and overlays.fact_path = '$row'
    {%- for link in curated.links %}
            {%- set column = ("linked." if link.get("rows") else "child.") ~ tidegate.identifier(link.subject) %}
            {%- set named = tidegate.alias_key(link.kind, link.slice, column) if link.get("slice") else column %}
        union all
        select {{ this_row }}, {{ tidegate.literal(link.fact) }}::text, overlays.overlay_key
        from {{ curated.overlays }} as overlays
        {%- if link.get("rows") %}
            inner join {{ link.rows }} as linked on overlays.subject_key = {{ named }}
            inner join
                checked as child on {{ this_row }} = {{ tidegate.row_key(row_key, "linked") }}
        {%- else %} inner join checked as child on overlays.subject_key = {{ named }}
        {%- endif %}
        where {{ tidegate.changes_a_link("overlays", link.kind) }}
    {%- endfor %}
{%- endmacro -%}
