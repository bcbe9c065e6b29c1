-- What articles say has happened, one statement a row, never more than the article says.
with
    statements as (select * from {{ ref("stg_news__statements") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            statements.news_event_key,
            statements.document_id,
            statements.source_family,
            statements.publisher,
            statements.headline,
            statements.event_family,
            statements.event_status,
            statements.source_status_text,
            statements.truth_mode,
            drug_names.owner_key as subject_drug_key,
            segment_names.owner_key as segment_key,
            organisation_names.owner_key as organisation_key,
            statements.event_date,
            statements.event_date_precision,
            statements.published_at,
            statements.source_quote,
            statements.source_version_id,
            statements.source_authority_tier,
            {{ tidegate.publication_tail("statements.news_event_key") }}
        from statements
        left join
            names as drug_names
            on drug_names.spine = 'drug'
            and drug_names.normalized_name = {{ tidegate.normalized_name("statements.drug_name") }}
        left join
            names as segment_names
            on segment_names.spine = 'segment'
            and segment_names.normalized_name
            = {{ tidegate.normalized_name("statements.disease_name") }}
        left join
            names as organisation_names
            on organisation_names.spine = 'organisation'
            and organisation_names.normalized_name
            = {{ tidegate.normalized_name("statements.organisation_name") }}
    )

select *
from final
