-- The lowest age is not above the highest, whatever units they are in.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    ages as (
        select
            eligibility.trial_key,
            make_interval(0)
            + (eligibility.minimum_age_value || ' ' || eligibility.minimum_age_unit)::interval
            as minimum_age,
            make_interval(0)
            + (eligibility.maximum_age_value || ' ' || eligibility.maximum_age_unit)::interval
            as maximum_age
        from {{ ref("q_trial_eligibility") }} as eligibility
    )

select
    ages.trial_key as row_key, 'block' as level, 'ages_reversed' as reason, '{}'::jsonb as metadata
from ages
where ages.minimum_age > ages.maximum_age
