{#- What may be wrong with a context. -#}
{%- macro development_context_findings() -%}
    values
        (judged.same_grain > 1, 'block', 'context_duplicated'),
        (
            judged.regimen_signature is not null and judged.first_program <> judged.last_program,
            'block',
            'program_duplicated'
        ),
        (judged.differing <> array[]::text[], 'block', 'fold_differs'),
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
            judged.current_phase not in ('none', 'unknown')
            and ('phase ' || judged.current_phase = any(judged.attained)) is not true
            or judged.clinical_activity not in ('none', 'unknown')
            and ('clinical_activity ' || judged.clinical_activity = any(judged.attained))
            is not true
            or judged.regulatory_state not in ('none', 'unknown')
            and ('regulatory ' || judged.regulatory_state = any(judged.attained)) is not true,
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
