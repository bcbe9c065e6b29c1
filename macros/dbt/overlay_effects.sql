{#- What a build finds for each overlay in force, noted in the ledger (`governance.overlay_effects`,
    docs/curation.md): what vanished, or is not any more what the curator saw, is reported from there. -#}
{%- macro note_effects(effects) -%}
    insert into governance.overlay_effects (overlay_key, relation, effect)
    select found.overlay_key, {{ tidegate.literal(model.name) }}, found.effect
    from ({{ effects }}) as found
    on conflict (overlay_key) do update
    set
        relation = excluded.relation,
        effect = excluded.effect,
        looked_at = clock_timestamp()
    ;
{%- endmacro -%}

{#- Of rows of the model just built, before anything of them is changed. -#}
{%- macro note_row_effects(overlays) -%}
    {%- set effects -%}
        select
            overlays.overlay_key,
            case
                when curated.provenance_bundle_key is null
                then 'subject_missing'
                when
                    overlays.fact_path = '$row'
                    and exists (
                        select
                        from
                            jsonb_each(
                                case
                                    when jsonb_typeof(overlays.previous_value) = 'object'
                                    then overlays.previous_value
                                end
                            ) as was(fact, value)
                        where to_jsonb(curated) -> was.fact is distinct from was.value
                    )
                then 'source_changed'
                when
                    overlays.fact_path <> '$row'
                    and to_jsonb(curated) -> overlays.fact_path <> overlays.previous_value
                then 'source_changed'
                else 'applied'
            end as effect
        from {{ overlays }} as overlays
        left join {{ this }} as curated on curated.provenance_bundle_key = overlays.subject_key
        where
            {{ tidegate.changes_a_row("overlays") }}
            and split_part(overlays.subject_key, '|', 1) = {{ tidegate.literal(model.name) }}
    {%- endset -%}
    {{- tidegate.note_effects(effects) -}}
{%- endmacro -%}

{#- After all candidates are built: of links, what the sources offer beside what curators set. -#}
{%- macro note_link_effects() -%}
    {%- set overlays = ref("int_curation_overlays") -%}
    {%- set changing = "select 1 from " ~ overlays ~ " as overlays where " ~ tidegate.changes_a_link("overlays") -%}
    {%- if execute and run_query(changing ~ " limit 1").rows | length -%}
        {%- set effects -%}
            select
                overlays.overlay_key,
                case
                    when offered.subject_key is null
                    then 'subject_missing'
                    when offered.targets <> overlays.previous_value
                    then 'source_changed'
                    else 'applied'
                end as effect
            from {{ overlays }} as overlays
            left join
                (
                    select
                        candidates.subject_kind,
                        candidates.subject_key,
                        coalesce(
                            jsonb_agg(
                                distinct candidates.target_key order by candidates.target_key
                            ) filter (
                                where
                                    candidates.overlay_key is null
                                    and candidates.target_key is not null
                            ),
                            '[]'
                        ) as targets
                    from {{ this }} as candidates
                    group by candidates.subject_kind, candidates.subject_key
                ) as offered
                on offered.subject_kind = overlays.subject_kind
                and offered.subject_key = overlays.subject_key
            where {{ tidegate.changes_a_link("overlays") }}
        {%- endset -%}
        {{- tidegate.note_effects(effects) -}}
    {%- endif -%}
{%- endmacro -%}

{#- After assertions are built: of several that one overlay may mean none is changed. -#}
{%- macro note_assertion_effects() -%}
    {%- set overlays = ref("int_curation_overlays") -%}
    {%- set about = "overlays.is_active and overlays.subject_kind = 'assertion'" -%}
    {%- set changing = "select 1 from " ~ overlays ~ " as overlays where " ~ about -%}
    {%- if execute and run_query(changing ~ " limit 1").rows | length -%}
        {%- set effects -%}
            select
                overlays.overlay_key,
                case
                    when count(assertions.assertion_key) = 0
                    then 'subject_missing'
                    when count(assertions.assertion_key) > 1
                    then 'subject_ambiguous'
                    when bool_or(assertions.source_value <> overlays.previous_value)
                    then 'source_changed'
                    else 'applied'
                end as effect
            from {{ overlays }} as overlays
            left join
                {{ this }} as assertions
                on assertions.subject_key = overlays.subject_key
                and assertions.fact_path = overlays.fact_path
            where {{ about }}
            group by overlays.overlay_key
        {%- endset -%}
        {{- tidegate.note_effects(effects) -}}
    {%- endif -%}
{%- endmacro -%}
