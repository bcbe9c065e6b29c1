-- The artefacts of official statistics.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("epidemiology", "state_cancer_profiles"),
                "family": "official_statistics",
                "native": "'state_cancer_profiles'",
                "media": "text/csv",
            },
            {
                "relation": source("epidemiology", "wonder_mortality"),
                "family": "official_statistics",
                "native": "'wonder_mortality'",
                "media": "text/csv",
            },
        ]
    )
}}
