-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__epidemiology"), ref("verifications__epidemiology"), ref("conflict_queue__epidemiology")
    )
}}
