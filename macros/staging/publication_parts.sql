{#- The elements of one array of every publication record: the publication, the element as `part`,
    its pointer in the record, and what a receipt needs. -#}
{%- macro publication_parts(publications, path) -%}
    select
        publications.publication_key,
        publications.record_id,
        part.document as part,
        {{ tidegate.literal("/" ~ path ~ "/") }} || (part.position - 1) as pointer,
        {{ tidegate.json_text("part.document", "quote") }} as source_quote,
        publications.source_version_id,
        publications.source_artifact_key,
        publications.content_sha256,
        publications.immutable_uri,
        publications.record_number,
        publications.received_at
    from {{ publications }} as publications
    cross join lateral {{ tidegate.json_elements("publications.payload", path) }}
    with ordinality as part(document, position)
{%- endmacro -%}

{#- A value of the source beside its mapping to the closed enum of a column. -#}
{%- macro source_and_mapped(value, model_name, column_name) -%}
    {{ value }} as {{ tidegate.identifier("source_" ~ column_name) }},
    {{ tidegate.mapped(value, model_name, column_name) }} as {{ tidegate.identifier(column_name) }}
{%- endmacro -%}
