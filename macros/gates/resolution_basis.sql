{#- A link that is published rests on a basis its subject kind allows, and that basis holds: a pass of
    the verifier, a reviewed overlay, a state that is not stale. Options: `allowed`, mappings of
    subject kind (`*`: any other) to bases; `reviewed`, the same to the states of an overlay that count
    as reviewed; `low_confidence`, below which an accepted link warns. -#}
{%- macro resolution_basis(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "candidate_id", "subject_kind", "source_term", "target_key", "basis", "verdict", "overlay_state",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "candidate_id": "text", "subject_kind": "text", "source_term": "text", "target_key": "text",
        "basis": "text", "verdict": "text", "overlay_state": "text", "link_state": "text",
        "publishable": "boolean", "confidence": "numeric", "valid_until": "timestamptz",
    }) }},
    allowed(subject_kind, bases) as (
        values
            {%- for kind, bases in gate.options.allowed.items() %}
                ({{ tidegate.literal(kind) }}::text, {{ tidegate.text_array(bases) }})
                {{- "," if not loop.last }}
            {%- endfor %}
    ),
    reviewed(subject_kind, states) as (
        values
            {%- for kind, states in gate.options.reviewed.items() %}
                ({{ tidegate.literal(kind) }}::text, {{ tidegate.text_array(states) }})
                {{- "," if not loop.last }}
            {%- endfor %}
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ metadata }} || jsonb_build_object(
            'required_basis',
            rule.bases,
            'reviewed_overlay',
            judged.overlay_state = any(review.states)
        )
    from judged
    left join
        lateral(
            select allowed.bases
            from allowed
            where allowed.subject_kind in (judged.subject_kind, '*')
            order by allowed.subject_kind = '*'
            limit 1
        ) as rule
        on true
    left join
        lateral(
            select reviewed.states
            from reviewed
            where reviewed.subject_kind in (judged.subject_kind, '*')
            order by reviewed.subject_kind = '*'
            limit 1
        ) as review
        on true
    cross join
        lateral({{ tidegate.resolution_basis_findings(gate) }}) as found(applies, level, reason)
    where found.applies and judged.publishable is not false
{%- endmacro -%}

{#- What is wrong with one link. -#}
{%- macro resolution_basis_findings(gate) -%}
    values
        (judged.basis is null, 'block', 'basis_absent'),
        (judged.basis <> all(coalesce(rule.bases, array[]::text[])), 'block', 'basis_unsupported'),
        (
            judged.basis = 'verified' and judged.verdict is distinct from 'pass',
            'block',
            'basis_unverified'
        ),
        (
            judged.basis = 'reviewed_curation'
            and (judged.overlay_state = any(review.states)) is not true,
            'block',
            'basis_unreviewed'
        ),
        (judged.link_state = 'stale' or judged.valid_until < now(), 'block', 'basis_stale'),
        (
            judged.confidence < {{ tidegate.literal(gate.options.low_confidence) }}::numeric,
            'warn',
            'confidence_low'
        )
{%- endmacro -%}

{%- macro resolution_basis_arguments() -%}
    {{-
        {
            "relations": {},
            "options": {
                "allowed": {
                    "*": [
                        "exact_identifier",
                        "exact_normalized_label",
                        "cross_reference",
                        "verified",
                        "reviewed_curation",
                    ]
                },
                "reviewed": {"*": ["human_approved"]},
                "low_confidence": 0.7,
            },
        }
        | tojson
    -}}
{%- endmacro -%}
