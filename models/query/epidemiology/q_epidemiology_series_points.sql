-- The observations of each series, in their last version.
with
    observations as (select * from {{ ref("q_epidemiology_observations") }}),

    final as (
        select
            {{ tidegate.series_key("observations") }} as series_key,
            observations.observation_key,
            observations.period_start,
            {{ tidegate.publication_tail(tidegate.series_key("observations") ~ " || '|' || observations.observation_key") }}
        from observations
        where observations.is_active
    )

select *
from final
