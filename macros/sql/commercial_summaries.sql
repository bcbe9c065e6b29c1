{#- Summaries beside their members. -#}
{%- macro commercial_summary_violations(gate) -%}
    union all
    select
        summaries.summary_key,
        found.level,
        found.reason,
        jsonb_build_object('composition', summaries.composition, 'members', members.present)
    from summaries
    cross join lateral({{ tidegate.commercial_summary_members() }}) as members
    cross join
        lateral(
            values
                (
                    members.present <> cardinality(summaries.member_fact_keys),
                    'block',
                    'fact_missing'
                ),
                (
                    case
                        summaries.composition
                        when 'annual_reported'
                        then members.annual = 1 and members.present = 1
                        when 'sum_of_quarters'
                        then members.quarters = 4 and members.present = 4
                        when 'nine_month_plus_q4'
                        then
                            members.nine_months = 1 and members.quarters = 1 and members.present = 2
                        else summaries.composition = 'incomplete'
                    end
                    is not true,
                    'block',
                    'composition_differs'
                ),
                (
                    summaries.evidence_kind = 'reported_actual' and members.others > 0,
                    'block',
                    'forecast_as_actual'
                ),
                (members.grains > 1, 'block', 'grains_mixed'),
                (
                    members.grains = 1 and members.total <> summaries.summary_value,
                    'block',
                    'summary_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- What the members of one summary are. -#}
{%- macro commercial_summary_members() -%}
    select
        count(*) as present,
        count(*) filter (where judged.period_kind = 'annual') as annual,
        count(distinct judged.fiscal_quarter) filter (
            where judged.period_kind = 'quarter'
        ) as quarters,
        count(*) filter (where judged.period_kind = 'nine_month_ytd') as nine_months,
        count(*) filter (where judged.evidence_kind <> 'reported_actual') as others,
        count(
            distinct(
                judged.reported_currency,
                judged.reported_scale,
                judged.geography_code,
                judged.measure
            )
        ) as grains,
        sum(judged.reported_value) as total
    from judged
    where judged.sales_fact_key = any(summaries.member_fact_keys)
{%- endmacro -%}
