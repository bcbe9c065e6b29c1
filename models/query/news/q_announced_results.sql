-- What press releases and abstracts of meetings announce, one value a row, in their own words.
with
    results as (select * from {{ ref("stg_news__results") }}),

    endpoints as (
        select *
        from {{ ref("links__news") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    final as (
        select
            results.announced_result_key,
            results.document_id,
            results.source_family,
            results.publisher,
            results.registry_number,
            endpoints.target_key as canonical_endpoint_key,
            results.raw_endpoint_phrase,
            results.source_arm_label,
            results.population_label,
            results.statistic,
            results.timepoint,
            results.value_text,
            results.value_num,
            results.value_state,
            results.unit,
            results.published_at,
            results.source_quote,
            results.source_version_id,
            results.source_authority_tier,
            {{ tidegate.publication_tail("results.announced_result_key") }}
        from results
        left join
            endpoints
            on endpoints.subject_key
            = {{ tidegate.alias_key("publication_endpoint", "news", "results.raw_endpoint_phrase") }}
    )

select *
from final
