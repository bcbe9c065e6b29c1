-- Statements about events as the newest capture of each article makes them. The status is the one
-- that was read there; whether the words mean it is for the gate on what is published.
with
    parts as ({{ tidegate.document_parts(ref("stg_news__documents"), "statements") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "family"), "q_news_events", "event_family") }},
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "status"), "q_news_events", "event_status") }},
            {{ tidegate.source_and_mapped(tidegate.json_text("parts.part", "truth"), "q_news_events", "truth_mode") }},
            {{ tidegate.json_text("parts.part", "words") }} as source_status_text,
            {{ tidegate.json_text("parts.part", "drug") }} as drug_name,
            {{ tidegate.json_text("parts.part", "disease") }} as disease_name,
            {{ tidegate.json_text("parts.part", "organisation") }} as organisation_name,
            {{ tidegate.json_text("parts.part", "date") }} as date_text,
            {{ tidegate.json_text("parts.part", "quote") }} as source_quote
        from parts
    ),

    dated as (
        select extracted.*, {{ tidegate.first_day("extracted.date_text") }} as event_date
        from extracted
    ),

    final as (
        select
            concat_ws(
                ':',
                'news_event',
                dated.document_id,
                dated.source_event_family,
                dated.source_status_text,
                dated.drug_name,
                dated.disease_name,
                dated.organisation_name
            ) as news_event_key,
            {{ tidegate.date_precision("dated.date_text", "dated.event_date") }}
            as event_date_precision,
            'text_quote'::text as locator_shape,
            jsonb_strip_nulls(jsonb_build_object('exact', dated.source_quote)) as locator,
            dated.*
        from dated
    )

select *
from final
