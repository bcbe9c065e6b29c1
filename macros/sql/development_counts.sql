{#- Counts of the landscape that are not those of their distinct members, or of members of another grain. -#}
{%- macro development_count_violations(gate) -%}
    union all
    select
        judged.landscape_key,
        found.level,
        found.reason,
        jsonb_build_object('distinct_members', judged.members)
        || {{ tidegate.key_of_another(gate, ["landscape.landscape_key"]) }}
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

{#- Evidence that stands twice for one source, arm, population, endpoint and time. -#}
{%- macro development_evidence_violations(gate) -%}
    union all
    select
        judged.emerging_evidence_key,
        found.level,
        found.reason,
        jsonb_build_object('rows', judged.same_grain)
        || {{ tidegate.key_of_another(gate, ["evidence.emerging_evidence_key"]) }}
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
