-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "commercial"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_product_sales_facts"),
            ref("q_product_sales_fx_receipts"),
            ref("q_product_sales_conversions"),
            ref("q_product_sales_summaries"),
        ]
    )
}}
