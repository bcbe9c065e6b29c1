-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__commercial"), ref("verifications__commercial"), ref("conflict_queue__commercial")
    )
}}
