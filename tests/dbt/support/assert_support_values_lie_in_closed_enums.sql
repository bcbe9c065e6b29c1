-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "support"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_forecast_input_readiness"),
            ref("q_source_artifacts"),
            ref("q_unmapped_values"),
        ]
    )
}}
