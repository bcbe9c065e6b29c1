-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "development",
        [
            ref("q_development_programs"),
            ref("q_development_milestones"),
            ref("q_development_state_history"),
            ref("q_development_landscape"),
            ref("q_development_emerging_evidence"),
            ref("q_provenance__development"),
        ],
    )
}}
