-- Dates of the registry that no calendar has: the cell is null, the row stays.
{{
    tidegate.unreadable_dates(
        [
            (
                "q_trials",
                ref("stg_ctgov__trials"),
                ref("stg_ctgov__studies"),
                "trial_key",
                {
                    "start_date": "start_text",
                    "primary_completion_date": "primary_completion_text",
                    "completion_date": "completion_text",
                    "study_first_posted_date": "study_first_posted_text",
                    "results_first_posted_date": "results_first_posted_text",
                    "last_update_posted_date": "last_update_posted_text",
                },
            )
        ]
    )
}}
