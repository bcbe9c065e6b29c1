-- One publication record, with the key that everything in it is told by.
with
    landed as (select * from {{ source("pubmed", "pubmed_articles") }} as landed),

    extracted as (
        select
            landed.record_id,
            landed.version as source_version_id,
            landed.payload,
            {{ tidegate.json_text("landed.payload", "pmid") }} as pmid,
            lower({{ tidegate.json_text("landed.payload", "doi") }}) as doi,
            {{ tidegate.json_text("landed.payload", "pmcid") }} as pmcid,
            {{ tidegate.json_text("landed.payload", "conferenceId") }} as conference_id,
            {{ tidegate.json_text("landed.payload", "title") }} as title,
            {{ tidegate.json_text("landed.payload", "venue") }} as venue,
            {{ tidegate.json_text("landed.payload", "publicationDate") }} as date_text,
            {{ tidegate.source_and_mapped(tidegate.json_text("landed.payload", "kind"), "q_publications", "publication_kind") }},
            {{ tidegate.source_and_mapped(tidegate.json_text("landed.payload", "textCoverage"), "q_publications", "text_coverage") }},
            coalesce(
                {{ tidegate.json_boolean("landed.payload", "isRetracted") }}, false
            ) as is_retracted,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    ),

    hashed as (
        select
            extracted.*,
            {{ tidegate.first_day("extracted.date_text") }} as publication_date,
            encode(
                sha256(convert_to({{ tidegate.normalized_name("extracted.title") }}, 'UTF8')), 'hex'
            ) as title_hash
        from extracted
    ),

    final as (
        select
            'pub:' || coalesce(
                'pmid:' || hashed.pmid,
                'doi:' || hashed.doi,
                'conference:' || hashed.conference_id,
                'title:' || hashed.title_hash
            ) as publication_key,
            case
                when hashed.pmid is not null
                then 'pmid'
                when hashed.doi is not null
                then 'doi'
                when hashed.conference_id is not null
                then 'conference_id'
                else 'title_hash'
            end as identity_basis,
            {{ tidegate.date_precision("hashed.date_text", "hashed.publication_date") }}
            as publication_date_precision,
            ''::text as pointer,
            hashed.*
        from hashed
    )

select *
from final
