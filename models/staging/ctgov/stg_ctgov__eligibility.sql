-- Who may take part in each trial.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            {{ tidegate.json_text("studies.eligibility", "sex") }} as source_sex,
            {{ tidegate.json_boolean("studies.eligibility", "genderBased") }} as gender_based,
            lower({{ tidegate.json_text("studies.eligibility", "minimumAge") }}) as minimum_age,
            lower({{ tidegate.json_text("studies.eligibility", "maximumAge") }}) as maximum_age,
            {{ tidegate.json_text_array("studies.eligibility", "stdAges") }} as source_std_ages,
            {{ tidegate.json_boolean("studies.eligibility", "healthyVolunteers") }}
            as healthy_volunteers,
            {{ tidegate.json_text("studies.eligibility", "samplingMethod") }}
            as source_sampling_method,
            {{ tidegate.json_text("studies.eligibility", "eligibilityCriteria") }} as criteria_text,
            {{ tidegate.json_text("studies.eligibility", "studyPopulation") }} as population_text
        from studies
        where studies.eligibility is not null
    ),

    final as (
        select
            extracted.*,
            {{ tidegate.mapped("extracted.source_sex", "q_trial_eligibility", "sex") }} as sex,
            {{ tidegate.age_value("extracted.minimum_age") }} as minimum_age_value,
            {{ tidegate.age_unit("extracted.minimum_age") }} as minimum_age_unit,
            {{ tidegate.age_value("extracted.maximum_age") }} as maximum_age_value,
            {{ tidegate.age_unit("extracted.maximum_age") }} as maximum_age_unit,
            {{ tidegate.mapped_array("extracted.source_std_ages", "q_trial_eligibility", "std_ages") }}
            as std_ages,
            {{ tidegate.mapped("extracted.source_sampling_method", "q_trial_eligibility", "sampling_method") }}
            as sampling_method,
            '/protocolSection/eligibilityModule' as pointer
        from extracted
    )

select *
from final
