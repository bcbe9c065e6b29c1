{#- Development programs: one row for each context; axes with their own vocabulary; history that does
    not overlap and starts at milestones; unknown stays unknown; counts at their declared grain.
    Announced milestones move nothing. Relations: `history`, `milestones`, `landscape`, `evidence`.
    Options: `axes`, the values of each axis in rising order; `grains`, the key prefix of each grain. -#}
{%- macro development_program_semantics(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "context_key": "text", "program_key": "text", "segment_key": "text", "segment_state": "text",
        "treatment_line_key": "text", "treatment_line_state": "text", "setting": "text",
        "region_code": "text", "current_phase": "text", "clinical_activity": "text",
        "regulatory_state": "text", "historical_max_phase": "text", "historical_max_regulatory": "text",
    }) }}
    {{ tidegate.development_relations(gate) }},
    ranks(axis, value, rank) as (
        values
            {%- for axis, steps in gate.options.axes.items() %}
                {%- set outer = loop %}
                {%- for value in steps %}
                    (
                        {{ tidegate.literal(axis) }}::text,
                        {{ tidegate.literal(value) }}::text,
                        {{ loop.index }}
                    )
                    {{- "," if not (loop.last and outer.last) }}
                {%- endfor %}
            {%- endfor %}
    ),
    reached as (
        select
            milestones.context_key,
            milestones.axis,
            milestones.axis_value,
            milestones.milestone_date
        from milestones
        where milestones.truth_mode = 'confirmed'
    ),
    contexts as ({{ tidegate.development_contexts() }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.development_context_findings(),
        tidegate.gate_metadata(gate, [
            "context_key", "program_key", "segment_key", "segment_state", "treatment_line_key",
            "treatment_line_state", "region_code", "current_phase", "clinical_activity", "regulatory_state",
        ]),
        "contexts",
    ) }}
    {{ tidegate.development_history_violations() }}
    {{ tidegate.development_count_violations(gate) }}
    {{ tidegate.development_evidence_violations() }}
{%- endmacro -%}

{#- What stands beside the contexts. -#}
{%- macro development_relations(gate) -%}
    {{ tidegate.gate_relation(gate, "history", {
        "context_key": "text", "axis": "text", "axis_value": "text", "valid_from": "date", "valid_to": "date",
    }) }}
    {{ tidegate.gate_relation(gate, "milestones", {
        "context_key": "text", "axis": "text", "axis_value": "text", "milestone_date": "date", "truth_mode": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "landscape", {
        "landscape_key": "text", "count_grain": "text", "count_value": "integer", "member_keys": "text[]",
    }) }}
    {{ tidegate.gate_relation(gate, "evidence", {
        "emerging_evidence_key": "text", "context_key": "text", "source_row_model": "text", "source_row_key": "text",
        "arm_key": "text", "population_key": "text", "canonical_endpoint_key": "text", "timepoint": "text",
    }) }}
{%- endmacro -%}

{%- macro development_contexts() -%}
    select
        judged.*,
        count(*) over (
            partition by
                judged.program_key,
                judged.segment_key,
                judged.treatment_line_key,
                judged.setting,
                judged.region_code
        ) as same_grain,
        phase.rank as phase_rank,
        highest.rank as highest_phase_rank,
        activity.rank as activity_rank,
        regulatory.rank as regulatory_rank,
        highest_regulatory.rank as highest_regulatory_rank
    from judged
    left join ranks as phase on phase.axis = 'phase' and phase.value = judged.current_phase
    left join
        ranks as highest on highest.axis = 'phase' and highest.value = judged.historical_max_phase
    left join
        ranks as activity
        on activity.axis = 'clinical_activity'
        and activity.value = judged.clinical_activity
    left join
        ranks as regulatory
        on regulatory.axis = 'regulatory'
        and regulatory.value = judged.regulatory_state
    left join
        ranks as highest_regulatory
        on highest_regulatory.axis = 'regulatory'
        and highest_regulatory.value = judged.historical_max_regulatory
{%- endmacro -%}

{%- macro development_context_findings() -%}
    values
        (judged.same_grain > 1, 'block', 'context_duplicated'),
        (
            (coalesce(judged.segment_state, '') = 'known') <> (judged.segment_key is not null)
            or (coalesce(judged.treatment_line_state, '') = 'known')
            <> (judged.treatment_line_key is not null),
            'block',
            'unknown_defaulted'
        ),
        (
            num_nulls(
                judged.phase_rank,
                judged.activity_rank,
                judged.regulatory_rank,
                judged.highest_phase_rank,
                judged.highest_regulatory_rank
            )
            > 0,
            'block',
            'value_of_another_axis'
        ),
        (
            judged.phase_rank > judged.highest_phase_rank
            or judged.regulatory_rank > judged.highest_regulatory_rank,
            'block',
            'maximum_below_current'
        ),
        (
            exists (
                select 1
                from
                    (
                        values
                            ('phase', judged.current_phase),
                            ('clinical_activity', judged.clinical_activity),
                            ('regulatory', judged.regulatory_state)
                    ) as state(axis, value)
                where
                    state.value not in ('none', 'unknown')
                    and not exists (
                        select 1
                        from reached
                        where
                            reached.context_key = judged.context_key
                            and reached.axis = state.axis
                            and reached.axis_value = state.value
                    )
            ),
            'block',
            'state_without_milestone'
        ),
        (
            'unknown' in (judged.segment_state, judged.treatment_line_state)
            or judged.region_code = 'UNKNOWN',
            'warn',
            'context_incomplete'
        )
{%- endmacro -%}

{%- macro development_history_violations() -%}
    union all
    select
        concat_ws('|', judged.context_key, judged.axis, judged.valid_from),
        found.level,
        found.reason,
        jsonb_build_object('axis', case when judged.ranked then judged.axis end)
    from
        (
            select
                history.*,
                max(coalesce(history.valid_to, 'infinity')) over (
                    partition by history.context_key, history.axis
                    order by history.valid_from
                    rows between unbounded preceding and 1 preceding
                ) as busy_until,
                exists (select 1 from ranks where ranks.axis = history.axis) as ranked,
                exists (
                    select 1
                    from ranks
                    where ranks.axis = history.axis and ranks.value = history.axis_value
                ) as valued,
                exists (
                    select 1
                    from reached
                    where
                        reached.context_key = history.context_key
                        and reached.axis = history.axis
                        and reached.axis_value = history.axis_value
                        and reached.milestone_date = history.valid_from
                ) as reconciled
            from history
        ) as judged
    cross join
        lateral(
            values
                (judged.busy_until > judged.valid_from, 'block', 'interval_overlaps'),
                (judged.ranked and not judged.valued, 'block', 'value_of_another_axis'),
                (not judged.reconciled, 'block', 'interval_without_milestone')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro development_count_violations(gate) -%}
    union all
    select
        judged.landscape_key,
        found.level,
        found.reason,
        jsonb_build_object('distinct_members', judged.members)
    from
        (
            select landscape.*, members.members, members.strange
            from landscape
            cross join
                lateral(
                    select
                        count(distinct member.key) as members,
                        count(*) filter (
                            where split_part(member.key, ':', 1) is distinct from grains.prefix
                        ) as strange
                    from unnest(landscape.member_keys) as member(key)
                    left join
                        (
                            values
                                {%- for grain, prefix in gate.options.grains.items() %}
                                    (
                                        {{ tidegate.literal(grain) }}::text,
                                        {{ tidegate.literal(prefix) }}::text
                                    ){{ "," if not loop.last }}
                                {%- endfor %}
                        ) as grains(grain, prefix)
                        on grains.grain = landscape.count_grain
                ) as members
        ) as judged
    cross join
        lateral(
            values
                (judged.count_value is distinct from judged.members, 'block', 'count_differs'),
                (judged.strange > 0, 'block', 'grain_collapsed')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro development_evidence_violations() -%}
    union all
    select
        judged.emerging_evidence_key,
        found.level,
        found.reason,
        jsonb_build_object('rows', judged.same_grain)
    from
        (
            select
                evidence.*,
                count(*) over (
                    partition by
                        evidence.context_key,
                        evidence.source_row_model,
                        evidence.source_row_key,
                        evidence.arm_key,
                        evidence.population_key,
                        evidence.canonical_endpoint_key,
                        evidence.timepoint
                ) as same_grain
            from evidence
        ) as judged
    cross join
        lateral(values (judged.same_grain > 1, 'block', 'evidence_duplicated')) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{%- macro development_program_semantics_arguments() -%}
    {{- {"relations": {"history": "q_development_state_history", "milestones": "q_development_milestones", "landscape": "q_development_landscape", "evidence": "q_development_emerging_evidence"}, "columns": {"setting": none, "evidence.timepoint": none}, "options": {"axes": {"phase": ["none", "unknown", "preclinical", "early_phase1", "phase1", "phase1_2", "phase2", "phase2_3", "phase3", "phase4"], "clinical_activity": ["none", "unknown", "planned", "recruiting", "active_not_recruiting", "completed", "suspended", "terminated", "withdrawn"], "regulatory": ["none", "unknown", "submitted", "under_review", "refused", "approval_withdrawn", "conditionally_approved", "approved"]}, "grains": {"program": "prog", "program_context": "ctx", "drug": "drug", "trial": "trial", "organisation": "org"}}} | tojson -}}
{%- endmacro -%}
