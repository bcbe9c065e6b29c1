-- Values of news records outside a closed enum: the cell is null, the row stays.
{{
    tidegate.unmapped_values(
        [
            (
                "q_news_events",
                ref("stg_news__statements"),
                ["news_event_key"],
                ["event_family", "event_status", "truth_mode"],
            ),
            (
                "q_announced_results",
                ref("stg_news__results"),
                ["announced_result_key"],
                ["statistic", "value_state"],
            ),
        ]
    )
}}
