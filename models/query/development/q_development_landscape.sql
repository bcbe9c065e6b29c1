-- How many programs, contexts, drugs, trials and owners there are, each counted once at its own
-- grain: over all, by disease, and by disease and phase or regulatory state. A trial of several
-- contexts is one trial. Trials are not counted by the phase or state of a context, which is not
-- theirs.
with
    states as (select * from {{ ref("development_program_states") }}),

    milestones as (select * from {{ ref("development_program_milestones") }}),

    trials as (
        select distinct milestones.context_key, milestones.source_trial_key
        from milestones
        where milestones.source_trial_key is not null and milestones.truth_mode = 'confirmed'
    ),

    slices as (
        select states.context_key, slice.*
        from states
        cross join
            lateral(
                values
                    ('all', null, '{}'::jsonb),
                    (
                        'segment',
                        states.segment_key,
                        jsonb_build_object(
                            'segment', coalesce(states.segment_key, states.segment_state)
                        )
                    ),
                    (
                        'phase',
                        states.segment_key,
                        jsonb_build_object(
                            'segment',
                            coalesce(states.segment_key, states.segment_state),
                            'current_phase',
                            states.current_phase
                        )
                    ),
                    (
                        'regulatory',
                        states.segment_key,
                        jsonb_build_object(
                            'segment',
                            coalesce(states.segment_key, states.segment_state),
                            'regulatory_state',
                            states.regulatory_state
                        )
                    )
            ) as slice(kind, segment_key, slice_dimensions)
    ),

    members as (
        select slices.segment_key, slices.slice_dimensions, member.count_grain, member.member_key
        from slices
        inner join states on states.context_key = slices.context_key
        cross join
            lateral(
                values
                    ('program', states.program_key),
                    ('program_context', states.context_key),
                    ('drug', states.resolved_drug_key),
                    ('organisation', states.owner_organisation_key)
            ) as member(count_grain, member_key)
        union all
        select slices.segment_key, slices.slice_dimensions, 'trial', trials.source_trial_key
        from slices
        inner join trials on trials.context_key = slices.context_key
        where slices.kind in ('all', 'segment')
    ),

    counted as (
        select
            members.segment_key,
            members.slice_dimensions,
            members.count_grain,
            count(distinct members.member_key)::integer as count_value,
            array_agg(distinct members.member_key order by members.member_key) as member_keys
        from members
        where members.member_key is not null
        group by members.segment_key, members.slice_dimensions, members.count_grain
    ),

    observed as (select max(states.as_of_date) as as_of_date from states),

    final as (
        select
            {{ tidegate.landscape_key("counted") }} as landscape_key,
            counted.segment_key,
            counted.count_grain,
            counted.slice_dimensions,
            counted.count_value,
            counted.member_keys,
            observed.as_of_date,
            {{ tidegate.publication_tail(tidegate.landscape_key("counted")) }}
        from counted
        cross join observed
    )

select *
from final
