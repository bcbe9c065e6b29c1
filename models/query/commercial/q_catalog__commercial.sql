-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "commercial",
        [
            ref("q_product_sales_facts"),
            ref("q_product_sales_fx_receipts"),
            ref("q_product_sales_conversions"),
            ref("q_product_sales_summaries"),
            ref("q_provenance__commercial"),
        ],
    )
}}
