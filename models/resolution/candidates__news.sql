-- What statements of articles are about (a drug, a disease, an organisation) and what announced
-- values are of (an endpoint): of exactly this name or, for a disease and an endpoint, by a name
-- that its words hold. Each name means the same in every article.
{%- set statements = ref("stg_news__statements") %}
with
    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "news_subject",
                        "from": tidegate.aliases(statements, "drug_name"),
                        "key": tidegate.alias_key("news_subject", "news:drug", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_drugs",
                        "spine": "drug",
                    },
                    {
                        "kind": "news_subject",
                        "from": tidegate.aliases(statements, "disease_name"),
                        "key": tidegate.alias_key("news_subject", "news:disease", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_disease_segments",
                        "spine": "segment",
                        "phrase": true,
                    },
                    {
                        "kind": "publication_endpoint",
                        "from": tidegate.aliases(ref("stg_news__results"), "raw_endpoint_phrase"),
                        "key": tidegate.alias_key("publication_endpoint", "news", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_endpoints",
                        "spine": "endpoint",
                        "phrase": true,
                    },
                    {
                        "kind": "news_subject",
                        "from": tidegate.aliases(statements, "organisation_name"),
                        "key": tidegate.alias_key("news_subject", "news:organisation", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_organisations",
                        "spine": "organisation",
                    },
                ]
            )
        }}
    ),

    matched as ({{ tidegate.named_candidates(ref("stg_spines__names")) }}),

    {{ tidegate.candidate_rows() }}

select *
from final
