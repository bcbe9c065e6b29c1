-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "epidemiology"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_epidemiology_observations"),
            ref("q_epidemiology_series"),
            ref("q_epidemiology_summaries"),
        ]
    )
}}
