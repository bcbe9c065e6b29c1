{#- A drug key belongs to drugs and biologics only, and to a link that was resolved. Options: `drugs`,
    the identity types that may have one; `no_drug`, a pattern of terms that never are one. -#}
{%- macro intervention_identity_type_safety(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "source_term": "text", "identity_type": "text", "resolved_drug_key": "text",
        "resolved_ncit_code": "text", "resolution_basis": "text",
    }) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.intervention_identity_findings(gate),
        tidegate.gate_metadata(gate, [
            "source_term", "identity_type", "resolution_basis", "resolved_drug_key", "resolved_ncit_code",
        ]) ~ " || jsonb_build_object('taxonomy_id', 'pub_intervention_identity')",
    ) }}
{%- endmacro -%}

{%- macro intervention_identity_findings(gate) -%}
    values
        (
            judged.resolved_drug_key is not null
            and (judged.identity_type = any({{ tidegate.text_array(gate.options.drugs) }}))
            is not true,
            'block',
            'no_drug_linked_as_drug'
        ),
        (
            judged.resolved_drug_key is not null
            and judged.source_term ~* {{ tidegate.literal(gate.options.no_drug) }},
            'block',
            'term_is_no_drug'
        ),
        (
            judged.resolved_drug_key is not null
            and coalesce(judged.resolution_basis, 'unresolved') = 'unresolved',
            'block',
            'link_without_basis'
        )
{%- endmacro -%}

{%- macro intervention_identity_type_safety_arguments() -%}
    {{- {"relations": {}, "columns": {}, "options": {"drugs": ["drug", "biologic"], "no_drug": "\\m(radiotherapy|radiation therapy|chemoradiotherapy|surgery|resection|[a-z]+ectomy|[a-z]+oplasty|cognitive|behaviou?ral|psychotherapy|physiotherapy|acupuncture|exercise|counsell?ing)\\M"}} | tojson -}}
{%- endmacro -%}
