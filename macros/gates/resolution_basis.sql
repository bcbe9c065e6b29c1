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
    }) }}
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
            judged.overlay_state = any(rule.states)
        )
    from judged
    cross join
        lateral(
            select
                {{ tidegate.of_subject_kind(gate.options.allowed) }} as bases,
                {{ tidegate.of_subject_kind(gate.options.reviewed) }} as states
        ) as rule
    cross join
        lateral({{ tidegate.resolution_basis_findings(gate) }}) as found(applies, level, reason)
    where
        found.applies
        and ({{ tidegate.resolution_basis_findings(gate, any=true) }})
        and judged.publishable is not false
{%- endmacro -%}

{#- What a mapping says of the subject kind of a link, or of `*`, as text[]; null where of neither. -#}
{%- macro of_subject_kind(mapping) -%}
    case
        {%- for kind, names in mapping.items() if kind != "*" %}
            when judged.subject_kind = {{ tidegate.literal(kind) }}
            then {{ tidegate.text_array(names) }}
        {%- else %} when false then null::text[]
        {%- endfor %}
        {%- if "*" in mapping %} else {{ tidegate.text_array(mapping["*"]) }} {%- endif %}
    end
{%- endmacro -%}

{#- What is wrong with one link, as values; with `any`, whether anything is: one look that spares most
    links the list. -#}
{%- macro resolution_basis_findings(gate, any=false) -%}
    {%- set unreviewed = "(judged.overlay_state = any(rule.states)) is not true" -%}
    {%- set low = tidegate.literal(gate.options.low_confidence) ~ "::numeric" -%}
    {{-
        tidegate.findings(
            [
                ("judged.basis is null", "block", "basis_absent"),
                (
                    "judged.basis <> all(coalesce(rule.bases, array[]::text[]))",
                    "block",
                    "basis_unsupported",
                ),
                (
                    "judged.basis = 'verified' and judged.verdict is distinct from 'pass'",
                    "block",
                    "basis_unverified",
                ),
                (
                    "judged.basis = 'reviewed_curation' and " ~ unreviewed,
                    "block",
                    "basis_unreviewed",
                ),
                (
                    "judged.link_state = 'stale' or judged.valid_until < now()",
                    "block",
                    "basis_stale",
                ),
                ("judged.confidence < " ~ low, "warn", "confidence_low"),
            ],
            any,
        )
    -}}
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
