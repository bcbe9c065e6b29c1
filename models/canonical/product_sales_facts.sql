-- Sales facts of all sources, with their place in the chain of restatements. A restated figure
-- stays, inactive; so does prose once a filing or an announcement prints the figure of the same
-- grain.
with recursive
    sales as (select * from {{ ref("stg_commercial__sales") }}),

    links as (select * from {{ ref("links__commercial") }} where publishable),

    -- The limit ends chains that bite their tail; a chain that long is judged, not followed.
    chain(sales_fact_key, restatement_no) as (
        select sales.sales_fact_key, 0
        from sales
        where sales.restates_fact_key is null
        union all
        select sales.sales_fact_key, chain.restatement_no + 1
        from sales
        inner join chain on chain.sales_fact_key = sales.restates_fact_key
        where chain.restatement_no < 100
    ),

    named as (
        select
            sales.*,
            organisations.target_key as organisation_key,
            drugs.target_key as resolved_drug_key,
            concat_ws(
                '|',
                organisations.target_key,
                sales.line_item_label,
                sales.measure,
                sales.period_kind,
                sales.period_start,
                sales.period_end,
                sales.geography_code,
                sales.reported_currency
            ) as grain
        from sales
        left join
            links as organisations
            on organisations.subject_kind = 'org_alias'
            and organisations.subject_key
            = {{ tidegate.alias_key("org_alias", "commercial", "sales.organisation_name") }}
        left join
            links as drugs
            on drugs.subject_kind = 'product_drug'
            and drugs.subject_key = sales.sales_fact_key
    ),

    final as (
        select
            named.*,
            coalesce(chain.restatement_no, 0) as restatement_no,
            not exists (
                select from sales as later where later.restates_fact_key = named.sales_fact_key
            )
            and not (
                named.evidence_kind = 'reported_prose'
                and exists (
                    select
                    from named as better
                    where better.grain = named.grain and better.evidence_kind = 'reported_actual'
                )
            ) as is_active
        from named
        left join chain on chain.sales_fact_key = named.sales_fact_key
    )

select *
from final
