-- The artefacts of articles, and those of the registry that their values are compared with.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("pubmed", "pubmed_articles"),
                "family": "pubmed",
                "native": "landed.record_id",
                "version": "landed.version",
                "semantics": "strong",
                "media": "application/json",
            },
            {
                "relation": source("ctgov", "ctgov_studies"),
                "family": "ctgov_v2",
                "key": "'artifact:ctgov:' || landed.nct_id || ':' || to_char(landed.snapshot_id, 'YYYY-MM-DD')",
                "native": "landed.nct_id",
                "version": "to_char(landed.snapshot_id, 'YYYY-MM-DD')",
                "observed": "landed.snapshot_id::timestamp at time zone 'UTC'",
                "semantics": "strong",
                "media": "application/json",
            },
        ]
    )
}}
