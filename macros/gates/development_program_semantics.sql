{#- Development programs: one row for each context and one program for each drug and regimen; axes
    with their own vocabulary; states and history that are the fold of confirmed milestones; unknown
    stays unknown; counts at their declared grain. Announced milestones move nothing. Relations:
    `history`, `milestones`, `landscape`, `evidence`. Options: `axes`, the values of each axis in
    rising order; `grains`, the key prefix of each grain; `fold`, the version of the fold that states
    and history are compared with (macros/sql/development_fold.sql), null where they are folded by
    another rule. -#}
{%- macro development_program_semantics(gate) -%}
    {%- set folded = gate.options.fold == tidegate.development_fold_version() | trim -%}
    {{ tidegate.gate_rows(gate, {
        "context_key": "text", "program_key": "text", "resolved_drug_key": "text",
        "regimen_signature": "text", "segment_key": "text", "segment_state": "text",
        "treatment_line_key": "text", "treatment_line_state": "text", "setting": "text",
        "region_code": "text", "current_phase": "text", "clinical_activity": "text",
        "regulatory_state": "text", "owner_organisation_key": "text", "historical_max_phase": "text",
        "historical_max_regulatory": "text",
    }) }}
    {{ tidegate.development_relations(gate) }},
    {{ tidegate.development_fold(gate.options.axes) }},
    {{ tidegate.development_reached() }},
    contexts as ({{ tidegate.development_contexts(gate, folded) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {%- if gate.options.fold and not folded %}
        union all
        select
            {{ tidegate.literal(gate.subject) }}::text,
            'block'::text,
            'not_evaluated'::text,
            jsonb_build_object('cause', 'fold_unknown')
    {%- endif %}
        {{ tidegate.gate_findings(
        tidegate.development_context_findings(),
        tidegate.gate_metadata(gate, [
            "context_key", "program_key", "segment_key", "segment_state", "treatment_line_key",
            "treatment_line_state", "region_code", "current_phase", "clinical_activity", "regulatory_state",
        ]) ~ " || " ~ tidegate.development_differing(),
        "contexts",
    ) }}
        {{ tidegate.development_history_violations(gate, folded) }}
        {%- if folded and gate.relations.get("history", {}).get("sql") %}
            {{ tidegate.development_missing_intervals(gate) }}
        {%- endif %}
        {{ tidegate.development_count_violations(gate) }}
        {{ tidegate.development_evidence_violations(gate) }}
{%- endmacro -%}

{#- What stands beside the contexts. -#}
{%- macro development_relations(gate) -%}
    {{ tidegate.gate_relation(gate, "history", {
        "context_key": "text", "axis": "text", "axis_value": "text", "valid_from": "date", "valid_to": "date",
    }) }}
    {{ tidegate.gate_relation(gate, "milestones", {
        "context_key": "text", "axis": "text", "axis_value": "text", "source_trial_key": "text",
        "milestone_date": "date", "observed_at": "timestamptz", "truth_mode": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "landscape", {
        "landscape_key": "text", "count_grain": "text", "count_value": "integer", "member_keys": "text[]",
    }) }}
    {{ tidegate.gate_relation(gate, "evidence", {
        "emerging_evidence_key": "text", "context_key": "text", "source_row_model": "text", "source_row_key": "text",
        "arm_key": "text", "population_key": "text", "canonical_endpoint_key": "text", "timepoint": "text",
    }) }}
{%- endmacro -%}

{%- macro development_program_semantics_arguments() -%}
    {{- {"relations": {"history": "q_development_state_history", "milestones": "q_development_milestones", "landscape": "q_development_landscape", "evidence": "q_development_emerging_evidence"}, "columns": {"setting": none, "regimen_signature": none, "milestones.observed_at": none, "evidence.timepoint": none}, "options": {"fold": "1", "axes": {"phase": ["none", "unknown", "preclinical", "early_phase1", "phase1", "phase1_2", "phase2", "phase2_3", "phase3", "phase4"], "clinical_activity": ["none", "unknown", "planned", "recruiting", "active_not_recruiting", "completed", "suspended", "terminated", "withdrawn"], "regulatory": ["none", "unknown", "submitted", "under_review", "refused", "approval_withdrawn", "conditionally_approved", "approved"]}, "grains": {"program": "prog", "program_context": "ctx", "drug": "drug", "trial": "trial", "organisation": "org"}}} | tojson -}}
{%- endmacro -%}
