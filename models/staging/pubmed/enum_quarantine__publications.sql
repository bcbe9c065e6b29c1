-- Values of publication records outside a closed enum: the cell is null, the row stays.
{{
    tidegate.unmapped_values(
        [
            (
                "q_publications",
                ref("stg_pubmed__publications"),
                ["publication_key"],
                ["publication_kind", "text_coverage"],
            ),
            (
                "q_publication_arms",
                ref("stg_pubmed__arms"),
                ["publication_arm_key"],
                ["arm_role"],
            ),
            (
                "q_publication_populations",
                ref("stg_pubmed__populations"),
                ["publication_population_key"],
                ["population_kind", "n_basis"],
            ),
            (
                "q_publication_outcomes",
                ref("stg_pubmed__outcomes"),
                ["publication_outcome_key"],
                [
                    "response_criteria",
                    "confirmation_state",
                    "assessor",
                    "statistic",
                    "value_state",
                    "timepoint_unit",
                ],
            ),
            (
                "q_publication_comparisons",
                ref("stg_pubmed__comparisons"),
                ["publication_comparison_key"],
                ["effect_measure", "p_value_modifier"],
            ),
            (
                "q_publication_safety",
                ref("stg_pubmed__safety"),
                ["publication_safety_key"],
                ["meddra_level", "grade_bucket", "relatedness", "attribution_state"],
            ),
            (
                "q_publication_interventions",
                ref("stg_pubmed__interventions"),
                ["publication_intervention_key"],
                ["identity_type"],
            ),
        ]
    )
}}
