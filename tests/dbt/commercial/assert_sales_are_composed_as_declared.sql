-- A conversion is its figure divided by a rate of its very currencies and period; a year is
-- composed of active figures that were reported, as its composition says and no other way.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "commercial"}}) }}
with
    facts as (select * from {{ ref("q_product_sales_facts") }}),

    rates as (select * from {{ ref("q_product_sales_fx_receipts") }}),

    conversions as (select * from {{ ref("q_product_sales_conversions") }}),

    summaries as (select * from {{ ref("q_product_sales_summaries") }}),

    members as (
        select
            summaries.summary_key,
            count(facts.sales_fact_key) as found,
            count(*) filter (where facts.period_kind = 'annual') as annual,
            count(distinct facts.fiscal_quarter) filter (
                where facts.period_kind = 'quarter'
            ) as quarters,
            count(*) filter (where facts.period_kind = 'nine_month_ytd') as nine_months,
            bool_or(facts.fiscal_quarter = 4) as has_fourth,
            sum(facts.reported_value) as total,
            bool_and(
                facts.is_active
                and facts.evidence_kind = 'reported_actual'
                and facts.reported_currency = summaries.currency
                and facts.reported_scale = summaries.scale
                and facts.geography_code = summaries.geography_code
                and facts.fiscal_year = summaries.fiscal_year
            ) as fitting
        from summaries
        cross join lateral unnest(summaries.member_fact_keys) as member(fact_key)
        left join facts on facts.sales_fact_key = member.fact_key
        group by summaries.summary_key
    )

select
    'q_product_sales_conversions|'
    || {{ tidegate.row_key(["sales_fact_key", "target_currency", "fx_receipt_key"], "conversions") }}
    as row_key,
    'block' as level,
    'conversion_contradicts_receipt' as reason,
    '{}'::jsonb as metadata
from conversions
inner join facts on facts.sales_fact_key = conversions.sales_fact_key
inner join rates on rates.fx_receipt_key = conversions.fx_receipt_key
where
    (
        rates.quote_currency,
        rates.base_currency,
        rates.rate_period_start,
        rates.rate_period_end,
        conversions.converted_scale
    ) is distinct from (
        facts.reported_currency,
        conversions.target_currency,
        facts.period_start,
        facts.period_end,
        facts.reported_scale
    )
    or conversions.converted_value
    <> round(facts.reported_value / rates.rate, facts.reported_decimals::integer)
union all
select
    'q_product_sales_summaries|' || summaries.summary_key,
    'block',
    case
        when not members.fitting then 'members_do_not_fit' else 'composition_contradicts_members'
    end,
    jsonb_build_object('composition', summaries.composition)
from summaries
inner join members on members.summary_key = summaries.summary_key
where
    not members.fitting
    or (summaries.composition = 'incomplete') is distinct from (summaries.summary_value is null)
    or (summaries.composition <> 'incomplete' and summaries.summary_value <> members.total)
    or (summaries.composition = 'annual_reported')
    is distinct from (summaries.evidence_kind = 'reported_actual')
    or case
        summaries.composition
        when 'annual_reported'
        then members.found <> 1 or members.annual <> 1
        when 'sum_of_quarters'
        then members.found <> 4 or members.quarters <> 4
        when 'nine_month_plus_q4'
        then
            members.found <> 2
            or members.nine_months <> 1
            or members.has_fourth is distinct from true
        else false
    end
