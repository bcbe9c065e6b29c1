-- The link of each subject of this slice that has one.
{{
    tidegate.link_rows(
        ref("candidates__clinical_trials"), ref("verifications__clinical_trials"), ref("conflict_queue__clinical_trials")
    )
}}
