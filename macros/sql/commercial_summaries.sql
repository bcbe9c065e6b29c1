{#- Summaries beside their members. -#}
{%- macro commercial_summary_violations(gate) -%}
    {%- set one_year -%} members.days <= {{ gate.options.days.annual[1] | int }} {%- endset -%}
    union all
    select
        summaries.summary_key,
        found.level,
        found.reason,
        jsonb_build_object('composition', summaries.composition, 'members', members.present)
        || {{ tidegate.key_of_another(gate, ["summaries.summary_key"]) }}
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
                        then members.parts = 'annual'
                        when 'sum_of_quarters'
                        then members.parts = '1+2+3+4' and {{ one_year }}
                        when 'nine_month_plus_q4'
                        then members.parts = 'nine_month_ytd+4' and {{ one_year }}
                        else summaries.composition = 'incomplete'
                    end
                    is not true,
                    'block',
                    'composition_differs'
                ),
                (members.inactive > 0, 'block', 'selection_inactive'),
                (
                    summaries.evidence_kind = 'reported_actual' and members.others > 0,
                    'block',
                    'forecast_as_actual'
                ),
                (members.grains > 1, 'block', 'grains_mixed'),
                (
                    members.grains = 1
                    and (
                        members.total <> summaries.summary_value
                        or summaries.composition <> 'incomplete'
                        and summaries.summary_value is null
                    ),
                    'block',
                    'summary_differs'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- What the members of one summary are; `parts` are their periods in order of time. -#}
{%- macro commercial_summary_members() -%}
    select
        count(*) as present,
        string_agg(
            case
                judged.period_kind
                when 'quarter'
                then judged.fiscal_quarter::text
                else judged.period_kind
            end,
            '+'
            order by judged.period_start
        ) as parts,
        max(judged.period_end) - min(judged.period_start) + 1 as days,
        count(*) filter (where judged.is_active is not true) as inactive,
        count(*) filter (where judged.evidence_kind <> 'reported_actual') as others,
        count(
            distinct(
                judged.product_key,
                judged.line_item_label,
                judged.organisation_key,
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
