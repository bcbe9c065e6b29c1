-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "support",
        [
            ref("q_inference_uses"),
            ref("q_conflicts"),
            ref("q_curations"),
            ref("q_forecast_input_readiness"),
            ref("q_source_artifacts"),
            ref("q_unmapped_values"),
        ],
    )
}}
