-- The words of a status stand in the quote, the quote stands in the article, and it is short.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "news"}}) }}
with
    events as (select * from {{ ref("q_news_events") }}),

    articles as (select * from {{ ref("stg_news__documents") }} where is_latest)

select
    events.news_event_key as row_key,
    found.level,
    found.reason,
    jsonb_build_object(
        'words', cardinality(regexp_split_to_array(events.source_quote, '\s+'))
    ) as metadata
from events
left join articles on articles.document_id = events.document_id
cross join
    lateral(
        values
            (
                strpos(lower(events.source_quote), lower(events.source_status_text)) = 0,
                'block',
                'words_not_in_quote'
            ),
            (
                coalesce(strpos(articles.body, events.source_quote), 0) = 0,
                'block',
                'quote_not_in_article'
            ),
            (
                cardinality(regexp_split_to_array(events.source_quote, '\s+')) > 20,
                'block',
                'quote_too_long'
            )
    ) as found(applies, level, reason)
where found.applies
