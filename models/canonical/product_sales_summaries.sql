-- A year of one line in one place: the annual figure alone where there is one, else four quarters,
-- else nine months and the last quarter. Nothing else is added up; what cannot be is incomplete.
with
    facts as (
        select *
        from {{ ref("product_sales_facts") }}
        where is_active and evidence_kind = 'reported_actual'
    ),

    collected as (
        select
            facts.organisation_key,
            facts.line_item_label,
            facts.measure,
            facts.geography_code,
            facts.fiscal_year,
            facts.reported_currency,
            facts.reported_scale,
            min(facts.sales_fact_key) filter (where facts.period_kind = 'annual') as annual_key,
            sum(facts.reported_value) filter (where facts.period_kind = 'annual') as annual_value,
            count(*) filter (where facts.period_kind = 'quarter') as quarters,
            array_agg(facts.sales_fact_key order by facts.fiscal_quarter) filter (
                where facts.period_kind = 'quarter'
            ) as quarter_keys,
            sum(facts.reported_value) filter (where facts.period_kind = 'quarter') as quarter_value,
            array_agg(facts.sales_fact_key order by facts.period_start) filter (
                where
                    facts.period_kind = 'nine_month_ytd'
                    or (facts.period_kind = 'quarter' and facts.fiscal_quarter = 4)
            ) as rest_keys,
            sum(facts.reported_value) filter (
                where
                    facts.period_kind = 'nine_month_ytd'
                    or (facts.period_kind = 'quarter' and facts.fiscal_quarter = 4)
            ) as rest_value,
            bool_or(facts.period_kind = 'nine_month_ytd')
            and bool_or(facts.period_kind = 'quarter' and facts.fiscal_quarter = 4) as has_rest,
            array_agg(
                facts.sales_fact_key order by facts.period_end, facts.sales_fact_key
            ) as all_keys
        from facts
        group by
            facts.organisation_key,
            facts.line_item_label,
            facts.measure,
            facts.geography_code,
            facts.fiscal_year,
            facts.reported_currency,
            facts.reported_scale
    ),

    composed as (
        select
            collected.*,
            case
                when collected.annual_key is not null
                then 'annual_reported'
                when collected.quarters = 4
                then 'sum_of_quarters'
                when collected.has_rest
                then 'nine_month_plus_q4'
                else 'incomplete'
            end as composition
        from collected
    ),

    final as (
        select
            'sales_summary:' || concat_ws(
                ':',
                composed.organisation_key,
                composed.line_item_label,
                composed.measure,
                composed.geography_code,
                composed.fiscal_year,
                composed.reported_currency
            ) as summary_key,
            composed.organisation_key,
            composed.line_item_label,
            composed.measure,
            composed.geography_code,
            composed.fiscal_year,
            composed.composition,
            case
                composed.composition
                when 'annual_reported'
                then array[composed.annual_key]
                when 'sum_of_quarters'
                then composed.quarter_keys
                when 'nine_month_plus_q4'
                then composed.rest_keys
                else composed.all_keys
            end as member_fact_keys,
            case
                composed.composition
                when 'annual_reported'
                then composed.annual_value
                when 'sum_of_quarters'
                then composed.quarter_value
                when 'nine_month_plus_q4'
                then composed.rest_value
            end as summary_value,
            composed.reported_currency as currency,
            composed.reported_scale as scale,
            case
                when composed.composition = 'annual_reported' then 'reported_actual' else 'derived'
            end as evidence_kind
        from composed
    )

select *
from final
