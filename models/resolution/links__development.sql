-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__development"), ref("verifications__development"), ref("conflict_queue__development")
    )
}}
