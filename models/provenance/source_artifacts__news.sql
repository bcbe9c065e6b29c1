-- The artefacts of news, press releases and abstracts of meetings.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("news", "documents"),
                "own_family": "landed.source_family",
                "own_semantics": tidegate.news_version_semantics("landed"),
                "native": "landed.document_id",
                "version": tidegate.news_version("landed"),
                "observed": "landed.snapshot_id",
                "media": "application/json",
            },
            {
                "relation": source("conference", "conference_abstracts"),
                "family": "conference",
                "own_semantics": tidegate.news_version_semantics("landed"),
                "native": "landed.document_id",
                "version": tidegate.news_version("landed"),
                "observed": "landed.snapshot_id",
                "media": "application/json",
            },
        ]
    )
}}
