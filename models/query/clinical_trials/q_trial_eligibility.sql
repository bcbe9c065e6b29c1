-- T06: who may take part in a trial.
with
    eligibility as (select * from {{ ref("stg_ctgov__eligibility") }}),

    final as (
        select
            eligibility.trial_key,
            eligibility.sex,
            eligibility.gender_based,
            eligibility.minimum_age_value,
            eligibility.minimum_age_unit,
            eligibility.maximum_age_value,
            eligibility.maximum_age_unit,
            eligibility.std_ages,
            eligibility.healthy_volunteers,
            eligibility.sampling_method,
            eligibility.criteria_text,
            eligibility.population_text,
            {{ tidegate.publication_tail("eligibility.trial_key") }}
        from eligibility
    )

select *
from final
