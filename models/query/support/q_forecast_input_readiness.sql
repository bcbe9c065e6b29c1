-- Which inputs of a forecast are published: for each disease and place that anything is known of,
-- one row for each kind of input. It says that an input is there and where, never what it is
-- worth.
{%- set kinds = [
    "incidence",
    "prevalence",
    "population_projection",
    "treatment_rate",
    "price",
    "sales_history",
] %}
with
    observations as (
        select *
        from {{ tidegate.published(ref("q_epidemiology_observations")) }} as published
        where published.is_active and published.value_state = 'reported'
    ),

    sales as (
        select *
        from {{ tidegate.published(ref("q_product_sales_facts")) }} as published
        where
            published.is_active and published.evidence_kind in ('reported_actual', 'reported_prose')
    ),

    indications as (
        select * from {{ tidegate.published(ref("q_approval_indications")) }} as published
    ),

    inputs as (
        select
            observations.segment_key,
            observations.geography_code,
            case
                when observations.metric <> 'population'
                then observations.metric
                when observations.observed_basis = 'projected'
                then 'population_projection'
            end as input_kind,
            'q_epidemiology_observations' as source_q_model_name,
            observations.observation_key as source_q_row_key,
            observations.period_end,
            observations.statistic = 'rate' as is_preferred
        from observations
        union all
        select
            indications.segment_key,
            sales.geography_code,
            'sales_history',
            'q_product_sales_facts',
            sales.sales_fact_key,
            sales.period_end,
            true
        from sales
        inner join indications on indications.resolved_drug_key = sales.resolved_drug_key
    ),

    newest as (
        select distinct on (inputs.segment_key, inputs.geography_code, inputs.input_kind) inputs.*
        from inputs
        order by
            inputs.segment_key,
            inputs.geography_code,
            inputs.input_kind,
            inputs.period_end desc,
            inputs.is_preferred desc,
            inputs.source_q_row_key
    ),

    places as (
        select distinct inputs.segment_key, inputs.geography_code
        from inputs
        where inputs.segment_key is not null
    ),

    asked as (
        select places.segment_key, places.geography_code, kind.input_kind
        from places
        cross join unnest({{ tidegate.text_array(kinds) }}) as kind(input_kind)
    ),

    final as (
        select
            concat_ws(
                ':', 'readiness', asked.segment_key, asked.geography_code, asked.input_kind
            ) as readiness_key,
            asked.segment_key,
            asked.geography_code,
            asked.input_kind,
            case
                when newest.source_q_row_key is null
                then 'missing_input'
                when newest.period_end < current_date - interval '15 years'
                then 'stale'
                else 'ready'
            end as readiness_state,
            newest.source_q_model_name,
            newest.source_q_row_key,
            newest.period_end as input_period_end,
            current_date as as_of_date,
            'The forecasting application owns what is made of it.'::text as downstream_owner_note
        from asked
        left join
            newest
            on newest.segment_key = asked.segment_key
            and newest.geography_code = asked.geography_code
            and newest.input_kind = asked.input_kind
    )

select final.*, {{ tidegate.publication_tail("final.readiness_key") }}
from final
