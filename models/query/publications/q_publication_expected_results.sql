-- What a publication tabulates, by subgroup and endpoint: each pair has a value, or is told.
with
    expected as (select * from {{ ref("stg_pubmed__expected_results") }}),

    endpoints as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    final as (
        select
            expected.publication_expected_result_key,
            expected.publication_key,
            expected.publication_population_key,
            endpoints.target_key as canonical_endpoint_key,
            expected.raw_endpoint_phrase,
            expected.is_target_slice,
            expected.task_revision,
            expected.source_locator,
            {{ tidegate.publication_tail("expected.publication_expected_result_key") }}
        from expected
        left join endpoints on endpoints.subject_key = expected.publication_expected_result_key
    )

select *
from final
