-- Statistic, unit, adjustment, period and value of an observation agree; one version of it is
-- active, and a later one names the one before it.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "epidemiology"}}) }}
with
    observations as (select * from {{ ref("q_epidemiology_observations") }}),

    counted as (
        select
            observations.*,
            row_number() over (
                partition by
                    observations.segment_key,
                    observations.comparability_signature,
                    observations.geography_code,
                    observations.period_start,
                    observations.period_end,
                    observations.is_active
                order by observations.restatement_no desc, observations.observation_key
            ) as nth_version
        from observations
    ),

    violations as (
        select counted.observation_key, 'unit_contradicts_statistic' as reason
        from counted
        where
            (counted.statistic = 'count' and counted.unit not in ('cases', 'deaths', 'persons'))
            or (
                counted.statistic = 'rate'
                and (counted.unit not like 'per_100k%' or counted.denominator_kind = 'none')
            )
        union all
        select counted.observation_key, 'standard_contradicts_adjustment'
        from counted
        where
            (counted.adjustment_basis = 'age_standardised')
            is distinct from (counted.standard_population is not null)
        union all
        select counted.observation_key, 'period_contradicts_kind'
        from counted
        where
            counted.period_end < counted.period_start
            or (
                counted.period_kind = 'calendar_year'
                and extract(year from counted.period_start) <> extract(year from counted.period_end)
            )
            or (
                counted.period_kind like 'multi_year%'
                and extract(year from counted.period_start) = extract(year from counted.period_end)
            )
        union all
        select counted.observation_key, 'value_contradicts_state'
        from counted
        where (counted.value_state = 'reported') is distinct from (counted.value is not null)
        union all
        -- Printed with one decimal, so it may be half of one off, and a little for the population.
        select counted.observation_key, 'rate_contradicts_counts'
        from counted
        where
            counted.statistic = 'rate'
            and counted.adjustment_basis = 'crude'
            and abs(counted.value - counted.numerator * 100000 / counted.denominator_value) > 0.06
        union all
        select counted.observation_key, 'estimate_outside_interval'
        from counted
        where
            counted.value < counted.interval_lower
            or counted.value > counted.interval_upper
            or (counted.interval_kind = 'none')
            is distinct from (counted.interval_lower is null and counted.interval_upper is null)
        union all
        select counted.observation_key, 'several_versions_active'
        from counted
        where counted.is_active and counted.nth_version > 1
        union all
        select counted.observation_key, 'restatement_without_predecessor'
        from counted
        left join
            observations as predecessor
            on predecessor.observation_key = counted.supersedes_observation_key
        where
            (counted.restatement_no > 0)
            is distinct from (counted.supersedes_observation_key is not null)
            or (
                counted.restatement_no > 0
                and (predecessor.observation_key is null or predecessor.is_active)
            )
    )

select
    violations.observation_key as row_key,
    'block' as level,
    violations.reason,
    '{}'::jsonb as metadata
from violations
