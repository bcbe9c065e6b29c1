-- Judge one dbt test in one statement, as dbt's own `get_test_sql` reads its configuration.
-- Parameters: `test`, the compiled select; `fail_calc`, `error_if`, `warn_if`: what the contract
-- says; `checked`: a scalar, how many rows the tested model has.
select
    ({checked})::bigint as rows_checked,
    verdict.rows_returned,
    verdict.failures::bigint as failures,
    verdict.should_error,
    verdict.should_warn
from (
    select
        count(*) as rows_returned,
        ({fail_calc}) as failures,
        ({fail_calc} {error_if}) as should_error,
        ({fail_calc} {warn_if}) as should_warn
    from (
        select * from (
{test}
        ) as returned
        {limit}
    ) as dbt_internal_test
) as verdict
