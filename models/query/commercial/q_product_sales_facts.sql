-- Sales figures as their sources print them.
with
    facts as (select * from {{ ref("product_sales_facts") }}),

    final as (
        select
            facts.sales_fact_key,
            facts.organisation_key,
            facts.line_item_label,
            facts.resolved_drug_key,
            facts.measure,
            facts.period_kind,
            facts.fiscal_year,
            facts.fiscal_quarter,
            facts.period_start,
            facts.period_end,
            facts.geography_scheme,
            facts.geography_code,
            facts.geography_label,
            facts.reported_value,
            facts.reported_text,
            facts.reported_decimals,
            facts.reported_currency::character(3) as reported_currency,
            facts.reported_scale,
            facts.evidence_kind,
            facts.restatement_no,
            facts.restates_fact_key,
            facts.restatement_reason,
            facts.is_active,
            facts.source_authority_tier,
            facts.source_url,
            {{ tidegate.publication_tail("facts.sales_fact_key") }}
        from facts
    )

select *
from final
