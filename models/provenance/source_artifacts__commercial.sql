-- The artefacts of sales and exchange rates.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("commercial", "reported_sales"),
                "family": "company_filing",
                "native": "'reported_sales'",
                "media": "text/csv",
            },
            {
                "relation": source("commercial", "fx_rates"),
                "family": "fx_rates",
                "native": "'fx_rates'",
                "media": "text/csv",
            },
        ]
    )
}}
