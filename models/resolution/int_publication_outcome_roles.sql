-- What a published value is beside those that the registry posts for the same trial, endpoint and
-- statistic: supporting where one of them, rounded as the publication prints, is the same;
-- conflicting where none is; primary where the registry posts none. Both rows stay, whatever it is.
with
    outcomes as (select * from {{ ref("stg_pubmed__outcomes") }}),

    links as (select * from {{ ref("int_publication_trials") }} where comparison_eligible),

    endpoints as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_endpoint' and publishable
    ),

    measured as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_endpoint' and publishable
    ),

    registry as (select * from {{ ref("stg_ctgov__outcomes") }}),

    posted as (
        select
            registry.trial_key,
            measured.target_key as canonical_endpoint_key,
            case
                when registry.param_type = 'MEDIAN'
                then 'median'
                when registry.param_type = 'MEAN'
                then 'mean'
                when registry.unit_of_measure ilike 'percentage of %'
                then 'proportion'
            end as statistic,
            registry.trial_outcome_key,
            registry.unit_of_measure,
            registry.value_num
        from registry
        inner join
            measured
            on measured.subject_key
            = {{ tidegate.alias_key("trial_endpoint", "clinical_trials", "registry.outcome_title") }}
        -- A class is a subgroup or a timepoint, and a publication's value is of neither.
        where registry.class_title is null and registry.value_num is not null
    ),

    named as (
        select outcomes.*, endpoints.target_key as canonical_endpoint_key
        from outcomes
        left join endpoints on endpoints.subject_key = outcomes.publication_outcome_key
    ),

    final as (
        select
            named.publication_outcome_key,
            named.canonical_endpoint_key,
            case
                when count(posted.value_num) = 0
                then 'primary'
                when bool_or(round(posted.value_num, scale(named.value_num)) = named.value_num)
                then 'supporting'
                else 'conflicting'
            end as publication_role,
            named.value_num,
            named.unit,
            array_agg(posted.trial_outcome_key order by posted.trial_outcome_key) filter (
                where posted.value_num is not null
            ) as posted_keys,
            array_agg(posted.value_num order by posted.trial_outcome_key) filter (
                where posted.value_num is not null
            ) as posted_values,
            array_agg(posted.unit_of_measure order by posted.trial_outcome_key) filter (
                where posted.value_num is not null
            ) as posted_units
        from named
        left join links on links.publication_key = named.publication_key
        left join
            posted
            on posted.trial_key = links.trial_key
            and posted.canonical_endpoint_key = named.canonical_endpoint_key
            and posted.statistic = named.statistic
            and named.value_num is not null
        group by
            named.publication_outcome_key, named.canonical_endpoint_key, named.value_num, named.unit
    )

select *
from final
