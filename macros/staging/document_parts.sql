{#- The entries of one list of the newest capture of every document, with what their receipts need and who
    speaks. Those who ran a trial speak at a meeting as they do in a press release: before anybody
    else reviewed it. -#}
{%- macro document_parts(documents, list) -%}
    select
        documents.document_id,
        documents.source_family,
        documents.publisher,
        documents.title as headline,
        documents.body,
        documents.published_at,
        case
            when documents.source_family in ('press_release', 'conference')
            then 'company_announcement'
            when documents.source_family = 'news'
            then 'secondary_news'
        end as source_authority_tier,
        part.document as part,
        {{ tidegate.literal("/" ~ list ~ "/") }} || (part.position - 1) as pointer,
        documents.source_version_id,
        documents.version_semantics,
        documents.observed_at,
        documents.source_artifact_key,
        documents.content_sha256,
        documents.immutable_uri,
        documents.record_number,
        documents.received_at
    from {{ documents }} as documents
    cross join lateral {{ tidegate.json_elements("documents.payload", list) }}
    with ordinality as part(document, position)
    where documents.is_latest
{%- endmacro -%}
