-- One complete receipt for every statement and one for its status: the quoted words of the article.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set evidence = [ref("claims__news"), ref("event_claims__news"), ref("enum_quarantine__news"), ref("date_quarantine__news")] %}
{%- set attested = [] %}
{%- for family, tier in [("press_release", "company_announcement"), ("news", "secondary_news")] %}
    {%- for fact, pointer in [("$row", "staged.pointer"), ("event_status", "staged.pointer || '/status'")] %}
        {%- do attested.append(
            {
                "model": "q_news_events",
                "staged": ref("stg_news__statements"),
                "key": ["news_event_key"],
                "fact": fact,
                "pointer": pointer,
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": tier,
                "where": "staged.source_family = " ~ tidegate.literal(family),
            }
        ) %}
    {%- endfor %}
{%- endfor %}
{%- set links = [] %}
{%- for fact, what in [("subject_drug_key", "drug"), ("segment_key", "disease"), ("organisation_key", "organisation")] %}
    {%- do links.append(
        {
            "model": "q_news_events",
            "fact": fact,
            "rows": ref("stg_news__statements"),
            "key": ["news_event_key"],
            "kind": "news_subject",
            "subject": tidegate.alias_key("news_subject", "news:" ~ what, "linked." ~ what ~ "_name"),
        }
    ) %}
{%- endfor %}
with receipts as ({{ tidegate.receipt_rows(attested) }})

select *
from receipts
union all
{{ tidegate.linked_receipts("receipts", links) }}
