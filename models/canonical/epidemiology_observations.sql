-- Published statistics of all sources in one form. Observations may be compared only where their
-- signatures are equal: the same metric, statistic, unit, adjustment, standard, kind of period and
-- people, from the same kind of source.
with
    observed as (
        select *
        from {{ ref("stg_epidemiology__incidence") }}
        union all
        select *
        from {{ ref("stg_epidemiology__mortality") }}
    ),

    links as (
        select *
        from {{ ref("links__epidemiology") }}
        where subject_kind = 'epidemiology_segment' and publishable
    ),

    named as (
        select
            observed.*,
            links.target_key as segment_key,
            'us_fips'::text as geography_scheme,
            'observed'::text as observed_basis,
            case when observed.interval_lower is null then 'none' else 'ci95' end as interval_kind,
            concat_ws(
                ':',
                links.target_key,
                observed.metric,
                observed.statistic,
                observed.adjustment_basis,
                observed.geography_code,
                observed.sex,
                observed.period_start,
                observed.period_end
            ) as grain
        from observed
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("epidemiology_segment", "epidemiology", "observed.condition_text") }}
    ),

    numbered as (
        select
            named.*,
            row_number() over releases - 1 as restatement_no,
            lead(named.release) over releases is null as is_active
        from named
        window releases as (partition by named.grain order by named.release)
    ),

    final as (
        select
            'epi:' || numbered.grain || ':' || numbered.restatement_no as observation_key,
            case
                when numbered.restatement_no > 0
                then 'epi:' || numbered.grain || ':' || (numbered.restatement_no - 1)
            end as supersedes_observation_key,
            md5(
                concat_ws(
                    '|',
                    numbered.metric,
                    numbered.statistic,
                    numbered.unit,
                    numbered.adjustment_basis,
                    coalesce(numbered.standard_population, ''),
                    numbered.period_kind,
                    numbered.sex,
                    numbered.geography_scheme,
                    numbered.observed_basis,
                    numbered.method_family
                )
            ) as comparability_signature,
            numbered.*
        from numbered
    )

select *
from final
