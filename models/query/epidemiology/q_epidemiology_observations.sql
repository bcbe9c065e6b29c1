-- Published statistics, each as its source prints it.
with
    observations as (select * from {{ ref("epidemiology_observations") }}),

    final as (
        select
            observations.observation_key,
            observations.segment_key,
            observations.metric,
            observations.statistic,
            observations.unit,
            observations.value,
            observations.value_state,
            observations.numerator,
            observations.denominator_value,
            observations.denominator_kind,
            observations.adjustment_basis,
            observations.standard_population,
            observations.period_kind,
            observations.period_start,
            observations.period_end,
            observations.geography_scheme,
            observations.geography_code,
            observations.sex,
            observations.observed_basis,
            observations.method_family,
            observations.method_version,
            observations.interval_kind,
            observations.interval_lower,
            observations.interval_upper,
            observations.restatement_no::integer as restatement_no,
            observations.supersedes_observation_key,
            observations.is_active,
            observations.comparability_signature::character(32) as comparability_signature,
            {{ tidegate.publication_tail("observations.observation_key") }}
        from observations
    )

select *
from final
