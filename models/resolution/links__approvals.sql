-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__approvals"), ref("verifications__approvals"), ref("conflict_queue__approvals")
    )
}}
