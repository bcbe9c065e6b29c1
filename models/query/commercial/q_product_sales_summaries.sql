-- Years of lines, each with the figures that it was composed of.
with
    summaries as (select * from {{ ref("product_sales_summaries") }}),

    final as (
        select
            summaries.summary_key,
            summaries.organisation_key,
            summaries.line_item_label,
            summaries.measure,
            summaries.geography_code,
            summaries.fiscal_year,
            summaries.composition,
            summaries.member_fact_keys,
            summaries.summary_value,
            summaries.currency::character(3) as currency,
            summaries.scale,
            summaries.evidence_kind,
            {{ tidegate.publication_tail("summaries.summary_key") }}
        from summaries
    )

select *
from final
