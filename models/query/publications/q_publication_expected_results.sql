-- What a publication tabulates, by subgroup and endpoint: each pair has a value, or is told.
with
    expected as (select * from {{ ref("stg_pubmed__expected_results") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            expected.publication_expected_result_key,
            expected.publication_key,
            expected.publication_population_key,
            names.owner_key as canonical_endpoint_key,
            expected.raw_endpoint_phrase,
            expected.is_target_slice,
            expected.task_revision,
            expected.source_locator,
            {{ tidegate.publication_tail("expected.publication_expected_result_key") }}
        from expected
        left join
            names
            on names.spine = 'endpoint'
            and names.normalized_name
            = {{ tidegate.normalized_name("expected.raw_endpoint_phrase") }}
    )

select *
from final
