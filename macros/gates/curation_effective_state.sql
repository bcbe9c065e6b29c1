{#- Of the overlays of one subject and fact, the reviewed one of the highest precedence is active and no
    other. High impact is whatever is not said to be `low`. Option `reviewed`: the review states that
    count as reviewed where the impact is low; high impact needs `human_approved`. -#}
{%- macro curation_effective_state(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "overlay_key", "subject_key", "fact_path", "impact", "review_state", "precedence", "superseded_by_key",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "overlay_key": "text", "subject_key": "text", "fact_path": "text", "impact": "text",
        "review_state": "text", "precedence": "numeric", "is_active": "boolean", "superseded_by_key": "text",
    }) }},
    stated as (
        select
            judged.*,
            judged.impact is distinct from 'low' as is_high,
            judged.superseded_by_key is null
            and (
                judged.review_state = 'human_approved'
                or judged.impact = 'low'
                and judged.review_state = any({{ tidegate.text_array(gate.options.reviewed) }})
            )
            is true as in_force
        from judged
    ),
    ranked as (
        select
            stated.*,
            max(case when stated.in_force then stated.precedence end) over subject as highest,
            count(*) filter (where stated.is_active) over ranks as active_at_rank
        from stated
        window
            subject as (partition by stated.subject_key, stated.fact_path),
            ranks as (partition by stated.subject_key, stated.fact_path, stated.precedence)
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(tidegate.curation_effective_state_findings(), metadata, "ranked") }}
{%- endmacro -%}

{%- macro curation_effective_state_findings() -%}
    values
        (judged.is_active and judged.review_state = 'rejected', 'block', 'overlay_rejected_active'),
        (
            judged.is_active and judged.superseded_by_key is not null,
            'block',
            'overlay_superseded_active'
        ),
        (
            judged.is_active
            and judged.is_high
            and coalesce(judged.review_state, '') not in ('human_approved', 'rejected'),
            'block',
            'overlay_unreviewed_active'
        ),
        (
            judged.is_active and judged.in_force and judged.precedence < judged.highest,
            'block',
            'overlay_outranked_active'
        ),
        (
            judged.is_active and judged.in_force and judged.active_at_rank > 1,
            'block',
            'overlay_tied_active'
        ),
        (
            judged.in_force and judged.precedence = judged.highest and judged.active_at_rank = 0,
            'block',
            'overlay_winner_inactive'
        ),
        (judged.impact = 'low' and judged.review_state = 'pending', 'warn', 'conflict_unresolved')
{%- endmacro -%}

{%- macro curation_effective_state_arguments() -%}
    {{- {"relations": {}, "options": {"reviewed": ["auto_reviewed", "not_required"]}} | tojson -}}
{%- endmacro -%}
