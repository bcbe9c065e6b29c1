-- What was so of each context when: intervals of one value of one axis, with the milestones that
-- they rest on. Gaps are legal, overlaps are not.
with
    milestones as (select * from {{ ref("development_program_milestones") }}),

    {{ tidegate.development_fold(tidegate.development_axes()) }},

    final as (
        select
            intervals.context_key,
            intervals.axis,
            intervals.axis_value,
            intervals.valid_from,
            intervals.valid_to,
            array_agg(
                milestones.milestone_key
                order by milestones.milestone_date desc nulls last, milestones.milestone_key
            ) as derived_from_milestone_keys,
            {{ tidegate.literal(tidegate.development_fold_version()) }}::text as fold_version,
            max(milestones.observed_at) as observed_at
        from fold_intervals as intervals
        inner join
            milestones
            on milestones.context_key = intervals.context_key
            and milestones.truth_mode = 'confirmed'
            -- A phase is current while its trial is active.
            and (
                milestones.axis = intervals.axis
                or (intervals.axis = 'phase' and milestones.axis = 'clinical_activity')
            )
            and coalesce(
                milestones.milestone_date, (milestones.observed_at at time zone 'UTC')::date
            )
            <= intervals.valid_from
        group by
            intervals.context_key,
            intervals.axis,
            intervals.axis_value,
            intervals.valid_from,
            intervals.valid_to
    )

select *
from final
