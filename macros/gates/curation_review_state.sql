{#- A decision of a curator is complete, and one of high impact is approved by a person. High impact is
    whatever is not said to be `low`. Options: `reviewed_kinds`, the kinds of overlay that need
    approval; `curators`, the kinds of actor that may decide. Where the contract names a column for
    `self_approved`, an approval by whoever proposed it is told. -#}
{%- macro curation_review_state(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "overlay_kind", "event_kind", "impact", "review_state", "actor_kind",
    ]) -%}
    {%- set types = {
        "overlay_kind": "text", "event_kind": "text", "impact": "text", "review_state": "text",
        "actor": "text", "actor_kind": "text", "occurred_at": "timestamptz", "rationale": "text",
        "rejection_reason": "text", "supersedes_event_key": "text", "audit_due": "boolean",
    } -%}
    {%- if "self_approved" in gate.columns -%}
        {%- set _ = types.update({"self_approved": "boolean"}) -%}
    {%- endif -%}
    {{ tidegate.gate_rows(gate, types) }},
    completed as (
        select
            judged.*,
            array_remove(
                array[
                    case when coalesce(btrim(judged.actor), '') = '' then 'actor' end,
                    case when judged.occurred_at is null then 'occurred_at' end,
                    case when coalesce(btrim(judged.rationale), '') = '' then 'rationale' end
                ],
                null
            ) as missing
        from judged
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.curation_review_state_findings(gate),
        metadata ~ " || jsonb_build_object('missing', judged.missing)",
        "completed",
    ) }}
{%- endmacro -%}

{%- macro curation_review_state_findings(gate) -%}
    {%- set reviewed = tidegate.text_array(gate.options.reviewed_kinds) -%}
    values
        (
            judged.overlay_kind = any({{ reviewed }})
            and judged.impact is distinct from 'low'
            and coalesce(judged.review_state, '') not in ('human_approved', 'rejected'),
            'block',
            'review_missing'
        ),
        (
            (judged.overlay_kind = any({{ reviewed }})) is not true
            and judged.impact is distinct from 'low'
            and judged.review_state = 'not_required',
            'block',
            'review_waived'
        ),
        (cardinality(judged.missing) > 0, 'block', 'decision_unattributed'),
        (
            judged.event_kind = 'rejected' and coalesce(btrim(judged.rejection_reason), '') = '',
            'block',
            'rejection_unexplained'
        ),
        (
            judged.event_kind = 'superseded' and judged.supersedes_event_key is null,
            'block',
            'supersession_unlinked'
        ),
        (
            (judged.actor_kind = any({{ tidegate.text_array(gate.options.curators) }})) is not true,
            'block',
            'actor_not_curator'
        ),
        (
            judged.event_kind = 'human_approved' and judged.actor_kind is distinct from 'human',
            'block',
            'approval_not_human'
        ),
        (
            judged.impact = 'low' and judged.review_state = 'auto_reviewed' and judged.audit_due,
            'warn',
            'audit_due'
        )
        {%- if "self_approved" in gate.columns %}
            , (judged.self_approved, 'warn', 'approval_by_proposer')
        {%- endif %}
{%- endmacro -%}

{%- macro curation_review_state_arguments() -%}
    {{- {
        "relations": {},
        "options": {"reviewed_kinds": ["override", "suppression"], "curators": ["human", "curation_agent"]},
    } | tojson -}}
{%- endmacro -%}
