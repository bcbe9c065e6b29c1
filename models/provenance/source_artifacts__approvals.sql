-- The artefacts of regulators: labels, and the tables of the FDA.
{{
    tidegate.source_artifacts(
        [
            {
                "relation": source("labels", "label_documents"),
                "family": "spl_label",
                "native": "landed.native_id",
                "version": "landed.version",
                "semantics": "strong",
                "media": "application/json",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_applications"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_applications'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_products"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_products'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_submissions"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_submissions'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_marketing_status"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_marketing_status'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_te_codes"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_te_codes'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_marketing_status_lookup"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_marketing_status_lookup'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_submission_class_lookup"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_submission_class_lookup'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_application_docs"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_application_docs'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_application_docs_type_lookup"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_application_docs_type_lookup'",
                "media": "text/tab-separated-values",
            },
            {
                "relation": source("drugsatfda", "drugsatfda_submission_property_types"),
                "family": "drugs_at_fda",
                "native": "'drugsatfda_submission_property_types'",
                "media": "text/tab-separated-values",
            },
        ]
    )
}}
