-- Series of observations that may be compared with each other: one signature, one place, one
-- disease.
with
    observations as (select * from {{ ref("q_epidemiology_observations") }}),

    series as (
        select distinct
            observations.segment_key,
            observations.geography_code,
            observations.comparability_signature,
            observations.metric,
            observations.statistic,
            observations.observed_basis
        from observations
        where observations.is_active
    ),

    final as (
        select
            {{ tidegate.series_key("series") }} as series_key,
            series.segment_key,
            series.geography_code,
            series.comparability_signature,
            series.observed_basis,
            {{ tidegate.publication_tail(tidegate.series_key("series")) }}
        from series
    )

select *
from final
