-- The lists that the spines are made of.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("spines", "organisations"),
                "family": "reference_list",
                "native": "'organisations'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "drugs"),
                "family": "reference_list",
                "native": "'drugs'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "disease_segments"),
                "family": "reference_list",
                "native": "'disease_segments'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "treatment_lines"),
                "family": "reference_list",
                "native": "'treatment_lines'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "endpoints"),
                "family": "reference_list",
                "native": "'endpoints'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "countries"),
                "family": "reference_list",
                "native": "'countries'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "names"),
                "family": "reference_list",
                "native": "'names'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "organisation_relationships"),
                "family": "reference_list",
                "native": "'organisation_relationships'",
                "media": "text/csv",
            },
            {
                "relation": source("spines", "soc_recommendations"),
                "family": "reference_list",
                "native": "'soc_recommendations'",
                "media": "text/csv",
            },
        ]
    )
}}
