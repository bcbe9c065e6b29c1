-- What products, statements of labels and applicants may be: drugs and organisations of exactly
-- this
-- name.
with
    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "approval_drug",
                        "from": ref("stg_drugsatfda__products"),
                        "key": "subject.approval_product_key",
                        "term": "subject.active_ingredient_text",
                        "target": "q_drugs",
                        "spine": "drug",
                    },
                    {
                        "kind": "approval_drug",
                        "from": ref("stg_labels__indications"),
                        "key": "subject.approval_indication_key",
                        "term": "subject.drug_name",
                        "target": "q_drugs",
                        "spine": "drug",
                    },
                    {
                        "kind": "org_alias",
                        "from": tidegate.org_aliases(ref("stg_drugsatfda__applications"), "sponsor_name"),
                        "key": tidegate.org_alias_key("approvals", "subject.alias"),
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
