{#- Intervals of the history that overlap, have a value of another axis, or are not the fold of milestones:
    they start on the day of one, with a value that was reached by then. -#}
{%- macro development_history_violations(gate, folded) -%}
    union all
    select
        concat_ws('|', judged.context_key, judged.axis, judged.valid_from),
        found.level,
        found.reason,
        jsonb_build_object('axis', case when judged.ranked then judged.axis end)
        || {{ tidegate.key_of_another(gate, ["history.context_key", "history.axis", "history.valid_from"]) }}
    from
        (
            select
                history.*,
                max(coalesce(history.valid_to, 'infinity')) over (
                    partition by history.context_key, history.axis
                    order by history.valid_from
                    rows between unbounded preceding and 1 preceding
                ) as busy_until,
                exists (select 1 from fold_ranks where fold_ranks.axis = history.axis) as ranked,
                exists (
                    select 1
                    from fold_ranks
                    where fold_ranks.axis = history.axis and fold_ranks.value = history.axis_value
                ) as valued,
                (history.valid_from = any(development_attained.days)) is true
                and coalesce(development_earliest.since <= history.valid_from, false) as reconciled,
                (intervals.axis_value, intervals.valid_to)
                is not distinct from (history.axis_value, history.valid_to)
                and intervals.valid_from is not null as folded
            from history
            left join
                fold_intervals as intervals
                on intervals.context_key = history.context_key
                and intervals.axis = history.axis
                and intervals.valid_from = history.valid_from
            left join development_attained on development_attained.context_key = history.context_key
            left join
                development_earliest
                on development_earliest.context_key = history.context_key
                and development_earliest.axis = history.axis
                and development_earliest.axis_value = history.axis_value
        ) as judged
    cross join
        lateral(
            values
                (judged.busy_until > judged.valid_from, 'block', 'interval_overlaps'),
                (judged.ranked and not judged.valued, 'block', 'value_of_another_axis'),
                (not judged.reconciled, 'block', 'interval_without_milestone')
                {%- if folded %}, (not judged.folded, 'block', 'history_differs') {%- endif %}
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- Intervals that the fold has and the history has not: what was so and is not told. -#}
{%- macro development_missing_intervals(gate) -%}
    union all
    select
        concat_ws('|', judged.context_key, judged.axis, judged.valid_from),
        found.level,
        found.reason,
        jsonb_build_object('axis', judged.axis)
        || {{ tidegate.key_of_another(gate, ["history.context_key", "history.axis", "history.valid_from"]) }}
    from fold_intervals as judged
    left join
        history
        on history.context_key = judged.context_key
        and history.axis = judged.axis
        and history.valid_from = judged.valid_from
    cross join
        lateral(values (history.context_key is null, 'block', 'interval_missing')) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}
