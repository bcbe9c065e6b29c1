{#- Each context with how often its grain stands, which programs share its drug and regimen, where its
    values stand on their axes, and which of them are not the fold of its milestones. -#}
{%- macro development_contexts(gate, folded) -%}
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
        min(judged.program_key) over same_regimen as first_program,
        max(judged.program_key) over same_regimen as last_program,
        phase.rank as phase_rank,
        highest.rank as highest_phase_rank,
        activity.rank as activity_rank,
        regulatory.rank as regulatory_rank,
        highest_regulatory.rank as highest_regulatory_rank,
        development_attained.states as attained,
        {{ tidegate.development_differences(gate, folded) }} as differing
    from judged
    left join fold_ranks as phase on phase.axis = 'phase' and phase.value = judged.current_phase
    left join
        fold_ranks as highest
        on highest.axis = 'phase'
        and highest.value = judged.historical_max_phase
    left join
        fold_ranks as activity
        on activity.axis = 'clinical_activity'
        and activity.value = judged.clinical_activity
    left join
        fold_ranks as regulatory
        on regulatory.axis = 'regulatory'
        and regulatory.value = judged.regulatory_state
    left join
        fold_ranks as highest_regulatory
        on highest_regulatory.axis = 'regulatory'
        and highest_regulatory.value = judged.historical_max_regulatory
    left join
        fold_states
        on fold_states.context_key = judged.context_key
        and fold_states.moment = 'infinity'
    left join development_attained on development_attained.context_key = judged.context_key
    window same_regimen as (partition by judged.resolved_drug_key, judged.regimen_signature)
{%- endmacro -%}

{#- What confirmed milestones of a context reached, each since when, and on which days: once for each
    context, because a look at all milestones for each row does not scale. -#}
{%- macro development_reached() -%}
    development_earliest as (
        select
            fold_reached.context_key,
            fold_reached.axis,
            fold_reached.axis_value,
            min(fold_reached.since) as since
        from fold_reached
        group by fold_reached.context_key, fold_reached.axis, fold_reached.axis_value
    ),
    development_attained as (
        select
            fold_reached.context_key,
            array_agg(distinct fold_reached.axis || ' ' || fold_reached.axis_value) as states,
            array_agg(distinct fold_reached.since) as days
        from fold_reached
        group by fold_reached.context_key
    )
{%- endmacro -%}

{#- Names of the columns of a context that the fold of its milestones tells otherwise. -#}
{%- macro development_differences(gate, folded) -%}
    array_remove(
        array[
            {%- if folded %}
                {%- for column in [
                    "current_phase", "clinical_activity", "regulatory_state", "historical_max_phase",
                    "historical_max_regulatory",
                ] %}
                    case
                        when
                            judged.{{ column }}
                            is distinct from coalesce(fold_states.{{ column }}, 'none')
                        then {{ tidegate.literal(column) }}
                    end,
                {%- endfor %}
                {%- if gate.columns.get("owner_organisation_key", "") is not none %}
                    case
                        when
                            judged.owner_organisation_key
                            is distinct from fold_states.owner_organisation_key
                        then 'owner_organisation_key'
                    end,
                {%- endif %}
            {%- endif %}
            null
        ]::text[],
        null
    )
{%- endmacro -%}

{#- The same as metadata, where there are any. -#}
{%- macro development_differing() -%}
    jsonb_strip_nulls(jsonb_build_object('differing', nullif(judged.differing, array[]::text[])))
{%- endmacro -%}
