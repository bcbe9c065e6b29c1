-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "approvals"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_approval_applications"),
            ref("q_approval_products"),
            ref("q_approval_events"),
            ref("q_approval_documents"),
            ref("q_approval_indications"),
            ref("q_regulatory_designations"),
        ]
    )
}}
