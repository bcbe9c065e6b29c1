-- One headline of each disease, place and metric: the newest rate that was published, an adjusted
-- one before a crude one. What the source withholds is no headline.
with
    observations as (select * from {{ ref("q_epidemiology_observations") }}),

    chosen as (
        select distinct
            on (observations.segment_key, observations.geography_code, observations.metric)
            observations.*
        from observations
        where
            observations.is_active
            and observations.statistic = 'rate'
            and observations.value_state = 'reported'
        order by
            observations.segment_key,
            observations.geography_code,
            observations.metric,
            observations.adjustment_basis = 'crude',
            observations.period_end desc,
            observations.observation_key
    ),

    final as (
        select
            'epi_summary:' || concat_ws(
                ':', chosen.segment_key, chosen.geography_code, chosen.metric
            ) as summary_key,
            chosen.segment_key,
            chosen.geography_code,
            chosen.metric,
            chosen.observation_key as selected_observation_key,
            'newest_rate_adjusted_first'::text as selection_rule,
            chosen.value as selected_value,
            chosen.unit as selected_unit,
            chosen.observed_basis as selected_basis,
            {{ tidegate.publication_tail("'epi_summary:' || concat_ws(':', chosen.segment_key, chosen.geography_code, chosen.metric)") }}
        from chosen
    )

select *
from final
