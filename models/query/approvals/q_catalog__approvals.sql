-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "approvals",
        [
            ref("q_approval_applications"),
            ref("q_approval_products"),
            ref("q_approval_events"),
            ref("q_approval_documents"),
            ref("q_approval_indications"),
            ref("q_regulatory_designations"),
            ref("q_provenance__approvals"),
        ],
    )
}}
