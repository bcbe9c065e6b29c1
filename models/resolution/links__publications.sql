-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__publications"), ref("verifications__publications"), ref("conflict_queue__publications")
    )
}}
