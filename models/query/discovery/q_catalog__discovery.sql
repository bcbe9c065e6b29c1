-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "discovery",
        [
            ref("q_discovery_entities"),
            ref("q_search_documents"),
            ref("q_provenance__discovery"),
        ],
    )
}}
