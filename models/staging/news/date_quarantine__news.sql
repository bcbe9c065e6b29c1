-- Dates of statements that no calendar has: the cell is null, the row stays.
{%- set statements = ref("stg_news__statements") %}
{{
    tidegate.unreadable_dates(
        [("q_news_events", statements, statements, "news_event_key", {"event_date": "date_text"})]
    )
}}
