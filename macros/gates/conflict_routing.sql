{#- A term that may mean two things stands in the conflict queue, and no link of it is accepted unless a
    verifier or a curator told which. Two candidates are rivals where their scores differ by no more
    than the option `within`. Relations: `conflicts`, `links`. Option `told_by`: the bases of a link
    that tell. -#}
{%- macro conflict_routing(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "candidate_id", "subject_kind", "source_term", "target_key", "match_method",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "candidate_id": "text", "subject_kind": "text", "subject_key": "text", "source_term": "text",
        "target_key": "text", "match_method": "text", "match_score": "numeric", "overlay_key": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "conflicts", {"subject_kind": "text", "subject_key": "text"}) }}
    {{ tidegate.gate_relation(gate, "links", {
        "subject_kind": "text", "subject_key": "text", "basis": "text", "publishable": "boolean",
    }) }},
    scored as (
        select judged.*, max(coalesce(judged.match_score, 1)) over subject as best
        from judged
        where judged.target_key is not null and judged.overlay_key is null
        window subject as (partition by judged.subject_kind, judged.subject_key)
    ),
    close as (
        select
            scored.*,
            min(scored.target_key) over subject
            <> max(scored.target_key) over subject as is_ambiguous
        from scored
        where
            coalesce(scored.match_score, 1)
            >= scored.best - {{ tidegate.literal(gate.options.within) }}::numeric
        window subject as (partition by scored.subject_kind, scored.subject_key)
    ),
    told as (
        select distinct
            links.subject_kind,
            links.subject_key,
            bool_or(links.basis = any({{ tidegate.text_array(gate.options.told_by) }})) over subject
            as is_told,
            bool_or(links.publishable) over subject as is_accepted
        from links
        window subject as (partition by links.subject_kind, links.subject_key)
    ),
    routed as (
        select
            close.*,
            coalesce(told.is_told, false) as is_told,
            coalesce(told.is_accepted, false) as is_accepted,
            exists (
                select
                from conflicts
                where
                    conflicts.subject_kind = close.subject_kind
                    and conflicts.subject_key = close.subject_key
            ) as is_queued
        from close
        left join
            told on told.subject_kind = close.subject_kind and told.subject_key = close.subject_key
        where close.is_ambiguous
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(tidegate.conflict_routing_findings(), metadata, "routed") }}
{%- endmacro -%}

{#- What is wrong with one candidate of an ambiguous term. -#}
{%- macro conflict_routing_findings() -%}
    values
        (not judged.is_queued and not judged.is_told, 'block', 'conflict_unqueued'),
        (judged.is_accepted and not judged.is_told, 'block', 'ambiguity_accepted')
{%- endmacro -%}

{%- macro conflict_routing_arguments() -%}
    {{-
        {
            "relations": {"conflicts": "conflict_queue", "links": "links"},
            "options": {"within": 0.05, "told_by": ["verified", "reviewed_curation"]},
        }
        | tojson
    -}}
{%- endmacro -%}
