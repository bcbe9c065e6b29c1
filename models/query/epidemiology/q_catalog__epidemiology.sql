-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "epidemiology",
        [
            ref("q_epidemiology_observations"),
            ref("q_epidemiology_series"),
            ref("q_epidemiology_series_points"),
            ref("q_epidemiology_summaries"),
            ref("q_provenance__epidemiology"),
        ],
    )
}}
