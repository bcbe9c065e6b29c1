-- Every stored artefact that is served from: immutable bytes under their hash, which source and
-- version
-- they are, and when they were observed and fetched. A delivery that brings the same version again
-- says which artefact it supersedes.
with
    artifacts as (
        {{
            tidegate.artifact_rows(
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
                    {
                        "relation": source("labels", "label_documents"),
                        "family": "spl_label",
                        "native": "landed.native_id",
                        "version": "landed.version",
                        "semantics": "strong",
                        "media": "application/json",
                    },
                    {
                        "relation": source("pubmed", "pubmed_articles"),
                        "family": "pubmed",
                        "native": "landed.record_id",
                        "version": "landed.version",
                        "semantics": "strong",
                        "media": "application/json",
                    },
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
                    {
                        "relation": source("spines", "names"),
                        "family": "reference_list",
                        "native": "'names'",
                        "media": "text/csv",
                    },
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
                    {
                        "relation": source("development", "development_programs"),
                        "family": "reference_list",
                        "native": "'development_programs'",
                        "media": "text/csv",
                    },
                    {
                        "relation": source("development", "development_contexts"),
                        "family": "reference_list",
                        "native": "'development_contexts'",
                        "media": "text/csv",
                    },
                    {
                        "relation": source("development", "development_context_sources"),
                        "family": "reference_list",
                        "native": "'development_context_sources'",
                        "media": "text/csv",
                    },
                    {
                        "relation": source("development", "development_milestones"),
                        "family": "reference_list",
                        "native": "'development_milestones'",
                        "media": "text/csv",
                    },
                ]
            )
        }}
    ),

    -- One artefact may be delivered for several datasets, and one version more than once.
    kept as (
        select distinct on (artifacts.source_artifact_key) artifacts.*
        from artifacts
        order by artifacts.source_artifact_key, artifacts.delivery_id desc
    ),

    final as (
        select
            kept.source_artifact_key,
            kept.source_family,
            kept.source_native_id,
            kept.source_version_id,
            kept.version_semantics,
            kept.immutable_uri,
            kept.content_hash,
            'sha256'::text as content_hash_algorithm,
            kept.media_type,
            kept.observed_at,
            kept.fetched_at,
            lag(kept.source_artifact_key) over (
                partition by kept.source_family, kept.source_native_id, kept.source_version_id
                order by kept.delivery_id
            ) as supersedes_artifact_key
        from kept
    )

select *
from final
