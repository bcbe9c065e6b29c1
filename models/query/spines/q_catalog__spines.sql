-- What the contracts of the family say about each of its columns.
{{
    tidegate.catalog_rows(
        "spines",
        [
            ref("q_organisations"),
            ref("q_drugs"),
            ref("q_disease_segments"),
            ref("q_treatment_lines"),
            ref("q_endpoints"),
            ref("q_countries"),
            ref("q_organisation_relationships"),
            ref("q_soc_recommendations"),
            ref("q_provenance__spines"),
        ],
    )
}}
