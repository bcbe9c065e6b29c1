{#- What a receipt needs of a landed row: artefact, content, address and the record's number in it. -#}
{%- macro receipt_columns(landed) -%}
    'artifact:sha256:' || {{ landed }}._artifact_sha256 as source_artifact_key,
    {{ landed }}._artifact_sha256::text as content_sha256,
    'artifact:sha256/' || {{ landed }}._artifact_sha256 as immutable_uri,
    {{ landed }}._record_number as record_number,
    {{ landed }}._received_at as received_at
{%- endmacro -%}

{#- The technical columns that every landed relation has, for a union of several. -#}
{%- macro technical_columns(landed) -%}
    {{ landed }}._delivery_id,
    {{ landed }}._record_number,
    {{ landed }}._artifact_sha256,
    {{ landed }}._received_at
{%- endmacro -%}
