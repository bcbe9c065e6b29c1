-- The words of a status stand in the quote, as the number of an announced value does; the quote
-- stands in the document, and it is short.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "news"}}) }}
with
    quoted as (
        select
            events.news_event_key as row_key,
            events.document_id,
            events.source_quote,
            strpos(lower(events.source_quote), lower(events.source_status_text)) > 0 as says_it
        from {{ ref("q_news_events") }} as events
        union all
        select
            results.announced_result_key,
            results.document_id,
            results.source_quote,
            {{ tidegate.printed_in("results.source_quote", "results.value_text") }}
        from {{ ref("q_announced_results") }} as results
    ),

    documents as (select * from {{ ref("stg_news__documents") }} where is_latest)

select
    quoted.row_key,
    found.level,
    found.reason,
    jsonb_build_object(
        'words', cardinality(regexp_split_to_array(quoted.source_quote, '\s+'))
    ) as metadata
from quoted
left join documents on documents.document_id = quoted.document_id
cross join
    lateral(
        values
            (not quoted.says_it, 'block', 'words_not_in_quote'),
            (
                coalesce(strpos(documents.body, quoted.source_quote), 0) = 0,
                'block',
                'quote_not_in_article'
            ),
            (
                cardinality(regexp_split_to_array(quoted.source_quote, '\s+')) > 20,
                'block',
                'quote_too_long'
            )
    ) as found(applies, level, reason)
where found.applies
