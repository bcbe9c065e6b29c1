-- One complete receipt for every statement and one for its status, for every announced value and
-- one for its number: the quoted words of the document.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set evidence = [ref("event_claims__news"), ref("enum_quarantine__news"), ref("date_quarantine__news")] %}
{%- set attested = [] %}
{%- for model_name, staged, key, fact, part, claim_type in [
    ("q_news_events", ref("stg_news__statements"), "news_event_key", "event_status", "/status", "announcement_event"),
    ("q_announced_results", ref("stg_news__results"), "announced_result_key", "value_num", "/value", "publication_outcome_value"),
] %}
    {%- set quoted = {
        "model": model_name,
        "staged": staged,
        "key": [key],
        "quote": "staged.source_quote",
        "version": "staged.source_version_id",
        "tier": "staged.source_authority_tier",
        "claim": tidegate.claim_id(claim_type, "staged." ~ key, fact),
    } %}
    {%- do attested.append(dict(quoted, pointer="staged.pointer")) %}
    {%- do attested.append(
        dict(
            quoted,
            fact=fact,
            pointer="staged.pointer || " ~ tidegate.literal(part),
            where="staged." ~ fact ~ " is not null"
        )
    ) %}
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
{%- do links.append(
    {
        "model": "q_announced_results",
        "fact": "canonical_endpoint_key",
        "rows": ref("stg_news__results"),
        "key": ["announced_result_key"],
        "kind": "publication_endpoint",
        "subject": tidegate.alias_key(
            "publication_endpoint", "news", "linked.raw_endpoint_phrase"
        ),
    }
) %}
with receipts as ({{ tidegate.receipt_rows(attested, claims=ref("claims__news")) }})

select *
from receipts
union all
{{ tidegate.linked_receipts("receipts", links, ref("links__news")) }}
