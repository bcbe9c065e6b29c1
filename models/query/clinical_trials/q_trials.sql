-- T01: one registered study, as its latest snapshot tells it.
with
    trials as (select * from {{ ref("stg_ctgov__trials") }}),

    final as (
        select
            trials.trial_key,
            trials.nct_id,
            trials.brief_title,
            trials.official_title,
            trials.acronym,
            trials.study_type,
            trials.phases,
            trials.overall_status,
            trials.last_known_status,
            trials.why_stopped,
            trials.allocation,
            trials.intervention_model,
            trials.observational_model,
            trials.primary_purpose,
            trials.masking,
            trials.who_masked,
            trials.start_date,
            trials.start_date_precision,
            trials.start_date_type,
            trials.primary_completion_date,
            trials.primary_completion_date_type,
            trials.completion_date,
            trials.completion_date_type,
            trials.enrollment,
            trials.enrollment_type,
            trials.study_first_posted_date,
            trials.results_first_posted_date,
            trials.last_update_posted_date,
            trials.has_results,
            trials.has_dmc,
            trials.is_fda_regulated_drug,
            trials.snapshot_id as source_snapshot_id,
            {{ tidegate.publication_tail("trials.trial_key") }}
        from trials
    )

select *
from final
