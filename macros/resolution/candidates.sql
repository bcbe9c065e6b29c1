{#- What is high impact: whatever is not about a subject that decides no clinical, regulatory or
    commercial fact (`curation.overlays` has the same list). -#}
{%- macro low_risk_kinds() -%}
    {{-
        return(
            [
                "trial_condition_segment",
                "trial_sponsor_org",
                "trial_country",
                "publication_segment",
                "org_alias",
                "news_subject",
            ]
        )
    -}}
{%- endmacro -%}

{#- The subjects of links: one select for each entry, a mapping of `kind`, `from` (a relation), `key`
    and `term` (SQL over `subject`), `target` (the model that the key is of), `spine` where a name of
    a spine is looked for, `phrase` where the term is a text that a name may stand in (a title) and not
    a name alone, `received_at` (SQL), and `where`. -#}
{%- macro link_subjects(entries) -%}
    {%- for entry in entries %}
        select
            {{ tidegate.literal(entry.kind) }}::text as subject_kind,
            {{ entry.key }} as subject_key,
            {{ entry.term }} as source_term,
            {{ tidegate.literal(entry.target) }}::text as target_relation,
            {{ tidegate.literal(entry.spine) if entry.get("spine") else "null" }}::text as spine,
            {{ entry.get("phrase", false) }} as is_phrase,
            {{ entry.get("received_at", "subject.received_at") }} as created_at
        from
            {{ entry["from"] }} as subject {%- if entry.get("join") %} {{ entry.join }} {%- endif %}
        where
            {{ entry.term }} is not null
            {%- if entry.get("where") %} and {{ entry.where }} {%- endif %}
        {% if not loop.last %}
            union all
        {% endif %}
    {%- endfor %}
{%- endmacro -%}

{#- The end of every model of candidates: what was matched (the common table `matched`: subject_kind,
    subject_key, target_key, match_method, match_score), and what a curator has set. -#}
{%- macro candidate_rows() -%}
    proposed as (
        select
            matched.subject_kind,
            matched.subject_key,
            matched.target_key,
            matched.match_method,
            matched.match_score,
            null::text as overlay_key
        from matched
        union all
        select
            overlays.subject_kind,
            overlays.subject_key,
            overlays.new_value #>> '{}',
            'curated_table',
            1.0,
            overlays.overlay_key
        from {{ ref("int_curation_overlays") }} as overlays
        where overlays.is_active and overlays.overlay_kind = 'link_correction'
    ),

    final as (
        select
            'candidate:' || concat_ws(
                '|',
                subjects.subject_kind,
                subjects.subject_key,
                proposed.match_method,
                coalesce(proposed.target_key, ''),
                proposed.overlay_key
            ) as candidate_id,
            subjects.subject_kind,
            subjects.subject_key,
            subjects.source_term,
            subjects.target_relation,
            proposed.target_key,
            proposed.match_method,
            proposed.match_score::numeric(5, 4) as match_score,
            subjects.subject_kind
            <> all({{ tidegate.text_array(tidegate.low_risk_kinds()) }}) as high_impact,
            subjects.created_at,
            proposed.overlay_key
        from subjects
        inner join
            proposed
            on proposed.subject_kind = subjects.subject_kind
            and proposed.subject_key = subjects.subject_key
    )
{%- endmacro -%}

{#- A term that means the same wherever it stands: the terms of a relation, each once, and the first time
    that it was received. -#}
{%- macro aliases(relation, column) -%}
    (
        select min(named.{{ column }}) as alias, min(named.received_at) as received_at
        from {{ relation }} as named
        where named.{{ column }} is not null
        group by {{ tidegate.normalized_name("named." ~ column) }}
    )
{%- endmacro -%}
