-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "publications",
        [
            ref("q_publications"),
            ref("q_publication_trial_links"),
            ref("q_publication_arms"),
            ref("q_publication_populations"),
            ref("q_publication_outcomes"),
            ref("q_publication_comparisons"),
            ref("q_publication_safety"),
            ref("q_publication_interventions"),
            ref("q_publication_expected_results"),
            ref("q_provenance__publications"),
        ],
    )
}}
