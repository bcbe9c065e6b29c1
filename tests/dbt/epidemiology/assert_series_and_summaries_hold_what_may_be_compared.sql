-- All points of a series have its signature, place, disease and basis; a headline is an active
-- observation that was published, with its value and basis.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "epidemiology"}}) }}
with
    observations as (select * from {{ ref("q_epidemiology_observations") }}),

    series as (select * from {{ ref("q_epidemiology_series") }}),

    points as (select * from {{ ref("q_epidemiology_series_points") }}),

    summaries as (select * from {{ ref("q_epidemiology_summaries") }})

select
    'q_epidemiology_series_points|'
    || points.series_key
    || '|'
    || points.observation_key as row_key,
    'block' as level,
    'point_not_comparable' as reason,
    '{}'::jsonb as metadata
from points
inner join series on series.series_key = points.series_key
inner join observations on observations.observation_key = points.observation_key
where
    not observations.is_active
    or (
        series.comparability_signature,
        series.geography_code,
        series.segment_key,
        series.observed_basis
    ) is distinct from (
        observations.comparability_signature,
        observations.geography_code,
        observations.segment_key,
        observations.observed_basis
    )
union all
select
    'q_epidemiology_summaries|' || summaries.summary_key,
    'block',
    'summary_contradicts_observation',
    '{}'::jsonb
from summaries
inner join observations on observations.observation_key = summaries.selected_observation_key
where
    not observations.is_active
    or observations.value_state <> 'reported'
    or (summaries.selected_value, summaries.selected_unit, summaries.selected_basis)
    is distinct from (observations.value, observations.unit, observations.observed_basis)
