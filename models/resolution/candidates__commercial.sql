-- What the lines of sales may be: drugs and organisations of exactly this name.
with
    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "product_drug",
                        "from": ref("stg_commercial__sales"),
                        "key": "subject.sales_fact_key",
                        "term": "subject.drug_name",
                        "target": "q_drugs",
                        "spine": "drug",
                    },
                    {
                        "kind": "org_alias",
                        "from": tidegate.aliases(ref("stg_commercial__sales"), "organisation_name"),
                        "key": tidegate.alias_key("org_alias", "commercial", "subject.alias"),
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
