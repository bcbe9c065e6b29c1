-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__news"), ref("verifications__news"), ref("conflict_queue__news")
    )
}}
