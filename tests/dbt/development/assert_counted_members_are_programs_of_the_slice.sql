-- What a count lists exists, and the count over all contexts has all of them.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "development"}}) }}
with
    landscape as (select * from {{ ref("q_development_landscape") }}),

    programs as (select * from {{ ref("q_development_programs") }}),

    existing as (
        select programs.program_key as member_key
        from programs
        union
        select programs.context_key
        from programs
        union
        select programs.resolved_drug_key
        from programs
        union
        select programs.owner_organisation_key
        from programs
        union
        select milestones.source_trial_key
        from {{ ref("q_development_milestones") }} as milestones
        where milestones.truth_mode = 'confirmed'
    ),

    violations as (
        select distinct landscape.landscape_key, 'member_unknown' as reason
        from landscape
        cross join lateral unnest(landscape.member_keys) as member(key)
        left join existing on existing.member_key = member.key
        where existing.member_key is null
        union all
        select landscape.landscape_key, 'contexts_left_out'
        from landscape
        where
            landscape.count_grain = 'program_context'
            and landscape.slice_dimensions = '{}'::jsonb
            and landscape.count_value <> (select count(*) from programs)
    )

select
    violations.landscape_key as row_key,
    'block' as level,
    violations.reason,
    '{}'::jsonb as metadata
from violations
