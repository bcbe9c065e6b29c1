-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "news",
        [
            ref("q_news_events"),
            ref("q_announced_results"),
            ref("q_provenance__news"),
        ],
    )
}}
