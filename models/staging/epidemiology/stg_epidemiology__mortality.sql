-- CDC WONDER: a row of a county gives deaths and a crude rate, which the source withholds as
-- unreliable where there are twenty deaths or fewer. What it withholds is never computed.
with
    landed as (select * from {{ source("epidemiology", "wonder_mortality") }} as landed),

    measured as (
        select
            landed.*,
            made.statistic,
            made.unit,
            made.value_text,
            made.adjustment_basis,
            made.numerator,
            made.denominator_value,
            made.denominator_kind
        from landed
        cross join
            lateral(
                values
                    (
                        'rate',
                        'per_100k_population',
                        landed.crude_rate,
                        'crude',
                        {{ tidegate.to_number("landed.deaths") }},
                        landed.population,
                        'mid_year_population'
                    ),
                    ('count', 'deaths', landed.deaths, 'not_applicable', null, null, 'none')
            ) as made(
                statistic,
                unit,
                value_text,
                adjustment_basis,
                numerator,
                denominator_value,
                denominator_kind
            )
    ),

    final as (
        select
            measured.cause as condition_text,
            'mortality'::text as metric,
            measured.statistic,
            measured.unit,
            {{ tidegate.to_number("measured.value_text") }} as value,
            case
                when {{ tidegate.to_number("measured.value_text") }} is not null
                then 'reported'
                when measured.value_text = 'Unreliable'
                then 'unreliable'
                when measured.value_text = 'Suppressed'
                then 'suppressed'
                else 'not_reported'
            end as value_state,
            measured.numerator,
            measured.denominator_value,
            measured.denominator_kind,
            measured.adjustment_basis,
            null::text as standard_population,
            'calendar_year'::text as period_kind,
            make_date(measured.year, 1, 1) as period_start,
            make_date(measured.year, 12, 31) as period_end,
            measured.county_code as geography_code,
            'all'::text as source_sex,
            'all'::text as sex,
            'vital_statistics'::text as method_family,
            measured.release as method_version,
            null::numeric as interval_lower,
            null::numeric as interval_upper,
            measured.release,
            {{ tidegate.receipt_columns("measured") }}
        from measured
    )

select *
from final
