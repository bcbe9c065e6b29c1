-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "publications"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_publications"),
            ref("q_publication_trial_links"),
            ref("q_publication_arms"),
            ref("q_publication_populations"),
            ref("q_publication_outcomes"),
            ref("q_publication_comparisons"),
            ref("q_publication_safety"),
            ref("q_publication_interventions"),
        ]
    )
}}
