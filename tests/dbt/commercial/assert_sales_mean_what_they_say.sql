-- Period, place and value of a figure agree with what was printed; one figure of a grain is active;
-- a restated one names its predecessor, which is not.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "commercial"}}) }}
with
    facts as (
        select
            facts.*,
            facts.period_end - facts.period_start + 1 as days,
            row_number() over (
                partition by
                    facts.organisation_key,
                    facts.line_item_label,
                    facts.measure,
                    facts.period_kind,
                    facts.period_start,
                    facts.period_end,
                    facts.geography_code,
                    facts.reported_currency,
                    facts.is_active
                order by facts.restatement_no desc, facts.sales_fact_key
            ) as nth_of_grain,
            regexp_replace(
                substring(facts.reported_text from '[0-9][0-9,'' ]*(?:[.][0-9]+)?'),
                '[,'' ]',
                '',
                'g'
            ) as printed
        from {{ ref("q_product_sales_facts") }} as facts
    ),

    violations as (
        -- Quarters of a company need not end with a month.
        select facts.sales_fact_key, 'period_contradicts_kind' as reason
        from facts
        where
            case
                facts.period_kind
                when 'month'
                then facts.days not between 28 and 31
                when 'quarter'
                then facts.days not between 84 and 98
                when 'half_year'
                then facts.days not between 175 and 189
                when 'nine_month_ytd'
                then facts.days not between 266 and 280
                when 'annual'
                then facts.days not between 358 and 372
                else facts.days < 1
            end
            or (facts.period_kind = 'quarter')
            is distinct from (coalesce(facts.fiscal_quarter between 1 and 4, false))
        union all
        select facts.sales_fact_key, 'several_active_of_one_grain'
        from facts
        where facts.is_active and facts.nth_of_grain > 1
        union all
        select facts.sales_fact_key, 'restatement_without_predecessor'
        from facts
        left join facts as predecessor on predecessor.sales_fact_key = facts.restates_fact_key
        where
            (facts.restatement_no > 0) is distinct from (facts.restates_fact_key is not null)
            or (
                facts.restates_fact_key is not null
                and (
                    predecessor.is_active is distinct from false
                    or predecessor.restatement_no <> facts.restatement_no - 1
                )
            )
        union all
        select facts.sales_fact_key, 'value_is_not_what_was_printed'
        from facts
        where
            facts.printed::numeric is distinct from facts.reported_value
            or facts.reported_decimals is distinct from scale(facts.printed::numeric)
        union all
        select facts.sales_fact_key, 'place_contradicts_scheme'
        from facts
        where
            (facts.geography_scheme = 'iso3166_1_alpha2' and facts.geography_code !~ '^[A-Z]{2}$')
            or (facts.geography_scheme = 'company_defined' and facts.geography_code !~ ':')
            or (facts.geography_scheme = 'worldwide') is distinct from (facts.geography_code = 'WW')
    )

select
    violations.sales_fact_key as row_key,
    'block' as level,
    violations.reason,
    '{}'::jsonb as metadata
from violations
