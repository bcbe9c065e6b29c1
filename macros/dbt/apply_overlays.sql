{#- After a published model is built: what curators approved about its rows, in the same transaction. A
    suppressed row is withheld (`q_curations` has it and its reason), a suppressed fact is null, an
    overridden one is the curator's. An overlay of what the contract has no column for, or of a key, is
    an error: an approved correction is never passed over. What was found is noted first, and the
    family's receipts name the overlays. -#}
{%- macro apply_overlays() -%}
    {%- set overlays = ref("int_curation_overlays") -%}
    {%- if execute and "provenance_bundle_key" in model.columns -%}
        {%- set keys = ((model.config.meta or {}).get("tidegate") or {}).get("row_key") or [] -%}
        {%- set fixed = keys + ["provenance_bundle_key", "publication_state", "contract_version"] -%}
        {%- set facts = run_query(tidegate.overlaid_facts(overlays, model.name)).columns[0].values() -%}
        {%- if facts -%} {{- tidegate.note_row_effects(overlays) -}} {%- endif -%}
        {%- for fact in facts -%}
            {%- if fact == "$row" -%} {{- tidegate.withhold_rows(overlays) -}}
            {%- elif fact not in model.columns or fact in fixed -%}
                {{-
                    exceptions.raise_compiler_error(
                        "An overlay in force is about "
                        ~ model.name
                        ~ "."
                        ~ fact
                        ~ ", which is no fact of its contract. Withdraw it, or correct the contract."
                    )
                -}}
            {%- else -%} {{- tidegate.overlay_fact(overlays, fact) -}}
            {%- endif -%}
        {%- endfor -%}
        {%- if "curation_overlay_key" in model.columns -%}
            {{- tidegate.name_overlays(overlays) -}}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}

{#- Which facts of a model's rows overlays in force are about, in a fixed order. -#}
{%- macro overlaid_facts(overlays, model_name) -%}
    select distinct overlays.fact_path
    from {{ overlays }} as overlays
    where
        {{ tidegate.changes_a_row("overlays") }}
        and split_part(overlays.subject_key, '|', 1) = {{ tidegate.literal(model_name) }}
    order by overlays.fact_path
{%- endmacro -%}

{%- macro withhold_rows(overlays) -%}
    delete from {{ this }} as curated
    using {{ overlays }} as overlays
    where
        {{ tidegate.changes_a_row("overlays") }}
        and overlays.fact_path = '$row'
        and overlays.overlay_kind = 'suppression'
        and overlays.subject_key = curated.provenance_bundle_key
    ;
{%- endmacro -%}

{#- The value in the column's own type, arrays included; null where the fact is suppressed. -#}
{%- macro overlay_fact(overlays, fact) -%}
    update {{ this }} as curated
    set
    {{ tidegate.identifier(fact) }} = (
            jsonb_populate_record(
                null::{{ this }},
                jsonb_build_object({{ tidegate.literal(fact) }}::text, overlays.new_value)
            )
        ).{{ tidegate.identifier(fact) }}
    from {{ overlays }} as overlays
    where
    {{ tidegate.changes_a_row("overlays") }}
        and overlays.fact_path = {{ tidegate.literal(fact) }}
        and overlays.subject_key = curated.provenance_bundle_key
    ;
{%- endmacro -%}
