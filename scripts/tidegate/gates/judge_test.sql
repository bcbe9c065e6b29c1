-- Judge one dbt test in one statement, as dbt's own `get_test_sql` reads its configuration.
-- Parameters: `test`, the compiled select; `fail_calc`, `error_if`, `warn_if`: what the contract
-- says; `checked`: a scalar, how many rows the tested model has; `reasons`: the only texts that may
-- be told of a row's column `reason`.
with dbt_internal_test as materialized (
    select * from (
{test}
    ) as returned
    {limit}
)
select
    ({checked})::bigint as rows_checked,
    verdict.rows_returned,
    verdict.failures::bigint as failures,
    verdict.should_error,
    verdict.should_warn,
    (
        select coalesce(jsonb_object_agg(told.reason, told.violations), '{{}}'::jsonb)
        from (
            select given.reason, count(*) as violations
            from dbt_internal_test
            cross join lateral (
                select to_jsonb(dbt_internal_test) ->> 'reason' as reason
            ) as given
            where given.reason = any ({reasons})
            group by given.reason
        ) as told
    ) as reasons
from (
    select
        count(*) as rows_returned,
        ({fail_calc}) as failures,
        ({fail_calc} {error_if}) as should_error,
        ({fail_calc} {warn_if}) as should_warn
    from dbt_internal_test
) as verdict
