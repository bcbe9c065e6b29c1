-- One complete receipt for every row of the family, and one for each printed figure. A conversion
-- has those of its figure and of its rate; a year has one of each figure that it was composed
-- of, overlays behind them included, and of each the link of its organisation.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set evidence = [ref("enum_quarantine__commercial")] %}
{%- set printed = tidegate.claim_id("product_sales_value", "staged.sales_fact_key", "reported_value") %}
{%- set facts = ref("product_sales_facts") %}
{%- set conversions = ref("product_sales_conversions") %}
{%- set summaries = ref("product_sales_summaries") %}
with
    rows_read as (
        {{
            tidegate.receipt_rows(
                [
                    {
                        "model": "q_product_sales_facts",
                        "staged": facts,
                        "key": ["sales_fact_key"],
                        "claim": printed,
                        "authority": "company_announcement",
                    },
                    {
                        "model": "q_product_sales_facts",
                        "staged": facts,
                        "key": ["sales_fact_key"],
                        "fact": "reported_value",
                        "claim": printed,
                        "authority": "company_announcement",
                    },
                    {
                        "model": "q_product_sales_fx_receipts",
                        "staged": ref("product_sales_fx_receipts"),
                        "key": ["fx_receipt_key"],
                        "claim": tidegate.claim_id("fx_rate", "staged.fx_receipt_key", "rate"),
                        "authority": "official_statistics",
                    },
                    {
                        "model": "q_product_sales_conversions",
                        "staged": conversions,
                        "key": ["sales_fact_key", "target_currency", "fx_receipt_key"],
                        "claim": printed,
                        "authority": "company_announcement",
                    },
                ],
                claims=ref("claims__commercial"),
            )
        }}
    ),

    -- The tier of a figure is that of the page it was printed on.
    ranked as (
        select
            {{ tidegate.receipt_but("rows_read", {
                "source_authority_tier": "coalesce(facts.source_authority_tier, rows_read.source_authority_tier)",
            }) }}
        from rows_read
        left join
            {{ facts }} as facts
            on rows_read.model_name in ('q_product_sales_facts', 'q_product_sales_conversions')
            and facts.sales_fact_key = split_part(rows_read.row_key, '|', 1)
    ),

    linked as (
        {{
            tidegate.linked_receipts(
                "ranked",
                [
                    {
                        "model": "q_product_sales_facts",
                        "fact": "organisation_key",
                        "rows": facts,
                        "key": ["sales_fact_key"],
                        "kind": "org_alias",
                        "subject": tidegate.alias_key("org_alias", "commercial", "linked.organisation_name"),
                    },
                    {
                        "model": "q_product_sales_facts",
                        "fact": "resolved_drug_key",
                        "rows": facts,
                        "key": ["sales_fact_key"],
                        "kind": "product_drug",
                        "subject": "linked.sales_fact_key",
                    },
                ],
                links=ref("links__commercial"),
            )
        }}
    ),

    receipts as (
        select *
        from ranked
        union all
        select *
        from linked
    ),

    inputs as (
        select
            'q_product_sales_conversions' as model_name,
            {{ tidegate.row_key(["sales_fact_key", "target_currency", "fx_receipt_key"], "conversions") }}
            as row_key,
            conversions.fx_receipt_key as input_key,
            'derivation_input' as role,
            array[]::text[] as kept_columns
        from {{ conversions }} as conversions
        union all
        select
            'q_product_sales_summaries',
            summaries.summary_key,
            member.fact_key,
            case when member.position = 1 then 'primary' else 'derivation_input' end,
            array['organisation_key']
        from {{ summaries }} as summaries
        cross join lateral unnest(summaries.member_fact_keys)
        with ordinality as member(fact_key, position)
    )

select *
from receipts
union all
select
    {{ tidegate.receipt_of_made(
        "inputs",
        "receipts",
        "'$row|' || inputs.input_key || " ~ tidegate.along_key("receipts"),
        {"fact_path": tidegate.fact_along("inputs", "receipts"), "role": "inputs.role"},
    ) }}
from inputs
inner join
    receipts
    on receipts.row_key = inputs.input_key
    and {{ tidegate.goes_along("inputs", "receipts") }}
where receipts.model_name in ('q_product_sales_facts', 'q_product_sales_fx_receipts')
