{#- The fold of development milestones, version 1: what is so of a context now, and what was so when.
    Common tables over `milestones` (context_key, axis, axis_value, source_trial_key, milestone_date,
    observed_at, truth_mode), of which only confirmed ones count; `axes`: the values of each axis in
    rising order. `fold_states` has one row for each context and moment, the moment `infinity` being
    now; `fold_intervals` has the history. Rules:
    - a milestone without a day counts from the day it was observed, and is older than any other;
    - of one day, the value that stands higher on its axis is the later one;
    - a trial is active while its last activity is planned, recruiting, active_not_recruiting or
      suspended; between the start of its phase and its first activity it is under way, unless that
      is a withdrawal. Clinical milestones of no trial are those of one unnamed trial;
    - the phase is the highest of active trials; the activity is the best one of an active trial, else the
      last end of a trial that was not withdrawn, else `withdrawn`;
    - the regulatory state and the owner are the last ones that were confirmed;
    - maxima are over all milestones, without the phases of trials that were withdrawn. -#}
{%- macro development_fold(axes) -%}
    {{ tidegate.development_fold_inputs(axes) }},
    {{ tidegate.development_fold_trials(axes) }},
    {{ tidegate.development_fold_states() }},
    {{ tidegate.development_fold_intervals() }}
{%- endmacro -%}

{%- macro development_fold_version() -%} 1 {%- endmacro -%}

{#- Ranks of values, and confirmed milestones with the day they count from, at every day on which
    their context changed and now. -#}
{%- macro development_fold_inputs(axes) -%}
    fold_ranks(axis, value, rank) as (
        values
            {%- for axis, steps in axes.items() %}
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
    fold_reached as (
        select
            milestones.context_key,
            milestones.axis,
            milestones.axis_value,
            coalesce(milestones.source_trial_key, '') as trial_key,
            milestones.milestone_date as dated,
            coalesce(
                milestones.milestone_date,
                (milestones.observed_at at time zone 'UTC')::date,
                'infinity'
            ) as since,
            coalesce(fold_ranks.rank, 0) as rank
        from milestones
        left join
            fold_ranks
            on fold_ranks.axis = milestones.axis
            and fold_ranks.value = milestones.axis_value
        where milestones.truth_mode = 'confirmed'
    ),
    -- Each milestone at each moment of its context, without a join: milestones are many.
    fold_seen as (
        select collected.*, moments.moment
        from
            (
                select
                    fold_reached.*,
                    array_agg(fold_reached.since) over (
                        partition by fold_reached.context_key
                    ) as days
                from fold_reached
            ) as collected
        cross join
            lateral(
                select distinct day.moment
                from unnest(collected.days || 'infinity'::date) as day(moment)
            ) as moments
    )
{%- endmacro -%}

{#- Each trial of a context at each moment: last and next activity, highest phase. -#}
{%- macro development_fold_trials(axes) -%}
    fold_trials as (
        select
            seen.context_key,
            seen.moment,
            seen.trial_key,
            (
                array_agg(
                    seen.axis_value
                    order by seen.dated desc nulls last, seen.rank desc, seen.axis_value
                ) filter (where seen.axis = 'clinical_activity' and seen.since <= seen.moment)
            )[1] as activity,
            max(seen.dated) filter (
                where seen.axis = 'clinical_activity' and seen.since <= seen.moment
            ) as activity_date,
            (
                array_agg(seen.axis_value order by seen.since, seen.rank, seen.axis_value) filter (
                    where seen.axis = 'clinical_activity' and seen.since > seen.moment
                )
            )[1] as next_activity,
            (
                array_agg(seen.axis_value order by seen.rank desc, seen.axis_value) filter (
                    where seen.axis = 'phase' and seen.since <= seen.moment
                )
            )[1] as phase
        from fold_seen as seen
        where seen.axis in ('phase', 'clinical_activity')
        group by seen.context_key, seen.moment, seen.trial_key
    ),
    fold_ranked_trials as (
        select
            fold_trials.*,
            coalesce(phase.rank, 0) as phase_rank,
            coalesce(activity.rank, 0) as activity_rank,
            array_position(
                array['recruiting', 'active_not_recruiting', 'planned', 'suspended'],
                fold_trials.activity
            ) as preference
        from fold_trials
        left join fold_ranks as phase on phase.axis = 'phase' and phase.value = fold_trials.phase
        left join
            fold_ranks as activity
            on activity.axis = 'clinical_activity'
            and activity.value = fold_trials.activity
    )
{%- endmacro -%}

{#- Each context at each moment, on all axes. -#}
{%- macro development_fold_states() -%}
    fold_clinical as (
        select
            trials.context_key,
            trials.moment,
            (
                array_agg(trials.phase order by trials.phase_rank desc, trials.phase) filter (
                    where
                        trials.phase is not null
                        and (
                            trials.preference is not null
                            or (trials.activity is null and trials.next_activity <> 'withdrawn')
                        )
                )
            )[1] as phase,
            coalesce(
                (
                    array_agg(trials.activity order by trials.preference) filter (
                        where trials.preference is not null
                    )
                )[1],
                (
                    array_agg(
                        trials.activity
                        order by
                            trials.activity_date desc nulls last,
                            trials.activity_rank desc,
                            trials.activity
                    ) filter (where trials.activity <> 'withdrawn')
                )[1],
                max(trials.activity)
            ) as activity,
            (
                array_agg(trials.phase order by trials.phase_rank desc, trials.phase) filter (
                    where trials.phase is not null and trials.activity is distinct from 'withdrawn'
                )
            )[1] as highest_phase
        from fold_ranked_trials as trials
        group by trials.context_key, trials.moment
    ),
    fold_told as ({{ tidegate.development_fold_told() }}),
    fold_states as (
        select
            fold_told.context_key,
            fold_told.moment,
            coalesce(max(fold_told.phase), 'none') as current_phase,
            coalesce(max(fold_told.activity), 'none') as clinical_activity,
            coalesce(max(fold_told.regulatory), 'none') as regulatory_state,
            max(fold_told.owner) as owner_organisation_key,
            coalesce(max(fold_told.highest_phase), 'none') as historical_max_phase,
            coalesce(max(fold_told.highest_regulatory), 'none') as historical_max_regulatory
        from fold_told
        group by fold_told.context_key, fold_told.moment
    )
{%- endmacro -%}

{#- What trials tell of a context at a moment; beside it what regulators and contracts decided last, and
    the highest that a regulator did. One row of each at most. -#}
{%- macro development_fold_told() -%}
    select
        fold_clinical.context_key,
        fold_clinical.moment,
        fold_clinical.phase,
        fold_clinical.activity,
        fold_clinical.highest_phase,
        null::text as regulatory,
        null::text as highest_regulatory,
        null::text as owner
    from fold_clinical
    union all
    select
        seen.context_key,
        seen.moment,
        null,
        null,
        null,
        (
            array_agg(
                seen.axis_value order by seen.dated desc nulls last, seen.rank desc, seen.axis_value
            ) filter (where seen.axis = 'regulatory' and seen.since <= seen.moment)
        )[1],
        (
            array_agg(seen.axis_value order by seen.rank desc, seen.axis_value) filter (
                where seen.axis = 'regulatory' and seen.since <= seen.moment
            )
        )[1],
        (
            array_agg(
                seen.axis_value order by seen.dated desc nulls last, seen.axis_value collate "C"
            ) filter (where seen.axis = 'ownership' and seen.since <= seen.moment)
        )[1]
    from fold_seen as seen
    group by seen.context_key, seen.moment
{%- endmacro -%}

{#- Half-open intervals of one value of one axis; where there is none, there is a gap. -#}
{%- macro development_fold_intervals() -%}
    fold_values as (
        select fold_states.context_key, fold_states.moment, told.axis, told.axis_value
        from fold_states
        cross join
            lateral(
                values
                    ('phase', nullif(fold_states.current_phase, 'none')),
                    ('clinical_activity', nullif(fold_states.clinical_activity, 'none')),
                    ('regulatory', nullif(fold_states.regulatory_state, 'none')),
                    ('ownership', fold_states.owner_organisation_key)
            ) as told(axis, axis_value)
        where fold_states.moment < 'infinity'
    ),
    fold_changes as (
        select
            fold_values.*,
            fold_values.axis_value
            is distinct from lag(fold_values.axis_value) over in_time as is_change
        from fold_values
        window
            in_time as (
                partition by fold_values.context_key, fold_values.axis order by fold_values.moment
            )
    ),
    fold_steps as (
        select
            fold_changes.context_key,
            fold_changes.axis,
            fold_changes.axis_value,
            fold_changes.moment as valid_from,
            lead(fold_changes.moment) over (
                partition by fold_changes.context_key, fold_changes.axis
                order by fold_changes.moment
            ) as valid_to
        from fold_changes
        where fold_changes.is_change
    ),
    fold_intervals as (select * from fold_steps where fold_steps.axis_value is not null)
{%- endmacro -%}
