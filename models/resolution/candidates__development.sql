-- What the lists of development programs may name: drugs, diseases and owners, each name the same
-- wherever the lists have it.
with
    drugs as (
        select staged.drug_name, staged.received_at
        from {{ ref("stg_development__programs") }} as staged
        union all
        select regimen.drug_name, staged.received_at
        from {{ ref("stg_development__programs") }} as staged
        cross join lateral unnest(staged.regimen_names) as regimen(drug_name)
    ),

    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "development_drug",
                        "from": tidegate.aliases("drugs", "drug_name"),
                        "key": tidegate.alias_key("development_drug", "development", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_drugs",
                        "spine": "drug",
                    },
                    {
                        "kind": "development_segment",
                        "from": tidegate.aliases(ref("stg_development__contexts"), "segment_name"),
                        "key": tidegate.alias_key("development_segment", "development", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_disease_segments",
                        "spine": "segment",
                    },
                    {
                        "kind": "org_alias",
                        "from": tidegate.aliases(ref("stg_development__milestones"), "organisation_name"),
                        "key": tidegate.alias_key("org_alias", "development", "subject.alias"),
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
