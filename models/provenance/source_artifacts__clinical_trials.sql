-- The artefacts of the registry of trials.
{{
    tidegate.source_artifacts(
        [
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
