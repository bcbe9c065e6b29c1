-- State Cancer Profiles: a row of an area gives an age-adjusted rate and an average annual count.
with
    landed as (select * from {{ source("epidemiology", "state_cancer_profiles") }} as landed),

    measured as (
        select
            landed.*,
            made.statistic,
            made.unit,
            made.value,
            made.adjustment_basis,
            made.standard_population,
            made.denominator_kind,
            made.interval_lower,
            made.interval_upper
        from landed
        cross join
            lateral(
                values
                    (
                        'rate',
                        'per_100k_population',
                        landed.age_adjusted_rate,
                        'age_standardised',
                        'us_2000',
                        'mid_year_population',
                        landed.lower_ci,
                        landed.upper_ci
                    ),
                    (
                        'count',
                        'cases',
                        landed.average_annual_count,
                        'not_applicable',
                        null,
                        'none',
                        null,
                        null
                    )
            ) as made(
                statistic,
                unit,
                value,
                adjustment_basis,
                standard_population,
                denominator_kind,
                interval_lower,
                interval_upper
            )
    ),

    final as (
        select
            measured.cancer_site as condition_text,
            'incidence'::text as metric,
            measured.statistic,
            measured.unit,
            measured.value,
            case when measured.value is null then 'not_reported' else 'reported' end as value_state,
            null::numeric as numerator,
            null::numeric as denominator_value,
            measured.denominator_kind,
            measured.adjustment_basis,
            measured.standard_population,
            'multi_year_average'::text as period_kind,
            make_date(measured.first_year, 1, 1) as period_start,
            make_date(measured.last_year, 12, 31) as period_end,
            measured.fips as geography_code,
            measured.sex as source_sex,
            {{ tidegate.mapped("measured.sex", "q_epidemiology_observations", "sex") }} as sex,
            'registry'::text as method_family,
            null::text as method_version,
            measured.interval_lower,
            measured.interval_upper,
            ''::text as release,
            {{ tidegate.receipt_columns("measured") }}
        from measured
    )

select *
from final
