-- What products, statements of labels and applicants may be: drugs, segments and organisations of
-- exactly this name; segments also by a name that a condition holds.
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
                        "kind": "approval_segment",
                        "from": ref("stg_labels__indications"),
                        "key": "subject.approval_indication_key",
                        "term": "subject.condition_text",
                        "target": "q_disease_segments",
                        "spine": "segment",
                        "phrase": true,
                    },
                    {
                        "kind": "org_alias",
                        "from": tidegate.aliases(ref("stg_drugsatfda__applications"), "sponsor_name"),
                        "key": tidegate.alias_key("org_alias", "approvals", "subject.alias"),
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
