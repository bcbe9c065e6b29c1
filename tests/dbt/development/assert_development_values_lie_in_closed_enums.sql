-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "development"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_development_programs"),
            ref("q_development_milestones"),
            ref("q_development_state_history"),
            ref("q_development_landscape"),
            ref("q_development_emerging_evidence"),
        ]
    )
}}
