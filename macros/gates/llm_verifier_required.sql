{#- A link of high impact that facts rest on was made by an exact method, or its newest verification is
    a pass. Options: `exact_methods`; `reviewed_bases`, bases that a reviewed overlay gives (judged by
    the gates of curation); `low_confidence`, below which a provisional link warns. -#}
{%- macro llm_verifier_required(gate) -%}
    {%- set names = [
        "candidate_id", "subject_kind", "basis", "candidates.match_method", "candidates.source_term",
        "candidates.target_key", "verifications.verdict",
    ] -%}
    {{ tidegate.gate_rows(gate, {
        "candidate_id": "text", "subject_kind": "text", "basis": "text", "link_state": "text",
        "publishable": "boolean",
    }) }}
    {{ tidegate.gate_relation(gate, "candidates", {
        "candidate_id": "text", "source_term": "text", "target_key": "text", "match_method": "text",
        "high_impact": "boolean",
    }) }}
    {{ tidegate.gate_relation(gate, "verifications", {
        "candidate_id": "text", "verdict": "text", "confidence": "numeric",
        "verified_at": "timestamptz",
    }) }},
    newest as (
        select distinct on (verifications.candidate_id) verifications.*
        from verifications
        order by
            verifications.candidate_id,
            verifications.verified_at desc nulls last,
            verifications.verdict is not distinct from 'pass'
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, names) }} || jsonb_build_object(
            'required_basis',
            {{ tidegate.text_array(gate.options.exact_methods + ["verified"]) }},
            'reviewed_overlay',
            coalesce(
                judged.basis = any({{ tidegate.text_array(gate.options.reviewed_bases) }}), false
            )
        )
    from judged
    left join candidates on candidates.candidate_id = judged.candidate_id
    left join newest as verifications on verifications.candidate_id = judged.candidate_id
    cross join
        lateral({{ tidegate.llm_verifier_required_findings(gate) }}) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{#- What is wrong with one link. -#}
{%- macro llm_verifier_required_findings(gate) -%}
    {%- set unproved -%}
        (coalesce(judged.link_state, 'accepted') = 'accepted' or judged.publishable is true)
        and candidates.candidate_id is not null
        and candidates.high_impact is not false
        and coalesce(
            candidates.match_method <> all({{ tidegate.text_array(gate.options.exact_methods) }}), true
        )
        and coalesce(judged.basis <> all({{ tidegate.text_array(gate.options.reviewed_bases) }}), true)
    {%- endset -%}
    values
        (candidates.candidate_id is null, 'block', 'candidate_missing'),
        ({{ unproved }} and verifications.candidate_id is null, 'block', 'verifier_missing'),
        (
            {{ unproved }}
            and verifications.candidate_id is not null
            and verifications.verdict is distinct from 'pass',
            'block',
            'verifier_failed'
        ),
        (
            judged.link_state = 'provisional'
            and verifications.confidence < {{ gate.options.low_confidence | float }},
            'warn',
            'verifier_confidence_low'
        )
{%- endmacro -%}

{%- macro llm_verifier_required_arguments() -%}
    {{-
        {
            "relations": {"candidates": "candidates", "verifications": "verifications"},
            "options": {
                "exact_methods": [
                    "exact_identifier",
                    "exact_normalized_label",
                    "cross_reference",
                    "curated_table",
                ],
                "reviewed_bases": ["reviewed_curation"],
                "low_confidence": 0.7,
            },
        }
        | tojson
    -}}
{%- endmacro -%}
