-- The lists that development programs are made of, and the artefacts of trials, labels and articles
-- that their milestones are read from.
with
    own as (
        {{ tidegate.source_artifacts(
                [
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
            ) }}
    ),

    gathered as (
        select *
        from own
        {% for slice in ["clinical_trials", "approvals", "publications", "news"] %}
            union all
            select *
            from {{ ref("source_artifacts__" ~ slice) }}
        {% endfor %}
    ),

    final as (
        select distinct on (gathered.source_artifact_key) gathered.*
        from gathered
        order by gathered.source_artifact_key, gathered.fetched_at desc
    )

select *
from final
