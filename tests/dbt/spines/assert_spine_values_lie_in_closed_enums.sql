-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "spines"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_organisations"),
            ref("q_drugs"),
            ref("q_treatment_lines"),
            ref("q_endpoints"),
            ref("q_organisation_relationships"),
            ref("q_soc_recommendations"),
        ]
    )
}}
