-- Identification, status and design of each trial. `source_*`: the source's own words for a
-- closed enum.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            studies.nct_id,
            studies.snapshot_id,
            {{ tidegate.json_text("studies.identification", "briefTitle") }} as brief_title,
            {{ tidegate.json_text("studies.identification", "officialTitle") }} as official_title,
            {{ tidegate.json_text("studies.identification", "acronym") }} as acronym,
            {{ tidegate.json_text("studies.design", "studyType") }} as source_study_type,
            {{ tidegate.json_text_array("studies.design", "phases") }} as source_phases,
            {{ tidegate.json_text("studies.status", "overallStatus") }} as source_overall_status,
            {{ tidegate.json_text("studies.status", "lastKnownStatus") }}
            as source_last_known_status,
            {{ tidegate.json_text("studies.status", "whyStopped") }} as why_stopped,
            {{ tidegate.json_text("studies.design", "designInfo/allocation") }}
            as source_allocation,
            {{ tidegate.json_text("studies.design", "designInfo/interventionModel") }}
            as source_intervention_model,
            {{ tidegate.json_text("studies.design", "designInfo/observationalModel") }}
            as source_observational_model,
            {{ tidegate.json_text("studies.design", "designInfo/primaryPurpose") }}
            as source_primary_purpose,
            {{ tidegate.json_text("studies.design", "designInfo/maskingInfo/masking") }}
            as source_masking,
            {{ tidegate.json_text_array("studies.design", "designInfo/maskingInfo/whoMasked") }}
            as source_who_masked,
            {{ tidegate.json_text("studies.status", "startDateStruct/date") }} as start_text,
            {{ tidegate.json_text("studies.status", "startDateStruct/type") }}
            as source_start_date_type,
            {{ tidegate.json_text("studies.status", "primaryCompletionDateStruct/date") }}
            as primary_completion_text,
            {{ tidegate.json_text("studies.status", "primaryCompletionDateStruct/type") }}
            as source_primary_completion_date_type,
            {{ tidegate.json_text("studies.status", "completionDateStruct/date") }}
            as completion_text,
            {{ tidegate.json_text("studies.status", "completionDateStruct/type") }}
            as source_completion_date_type,
            {{ tidegate.json_text("studies.design", "enrollmentInfo/count") }} as enrollment_text,
            {{ tidegate.json_text("studies.design", "enrollmentInfo/type") }}
            as source_enrollment_type,
            {{ tidegate.json_text("studies.status", "studyFirstPostDateStruct/date") }}
            as study_first_posted_text,
            {{ tidegate.json_text("studies.status", "resultsFirstPostDateStruct/date") }}
            as results_first_posted_text,
            {{ tidegate.json_text("studies.status", "lastUpdatePostDateStruct/date") }}
            as last_update_posted_text,
            studies.has_results,
            {{ tidegate.json_boolean("studies.oversight", "oversightHasDmc") }} as has_dmc,
            {{ tidegate.json_boolean("studies.oversight", "isFdaRegulatedDrug") }}
            as is_fda_regulated_drug
        from studies
    ),

    dated as (
        select
            extracted.*,
            {{ tidegate.first_day("extracted.start_text") }} as start_date,
            {{ tidegate.first_day("extracted.primary_completion_text") }}
            as primary_completion_date,
            {{ tidegate.first_day("extracted.completion_text") }} as completion_date,
            {{ tidegate.first_day("extracted.study_first_posted_text") }}
            as study_first_posted_date,
            {{ tidegate.first_day("extracted.results_first_posted_text") }}
            as results_first_posted_date,
            {{ tidegate.first_day("extracted.last_update_posted_text") }} as last_update_posted_date
        from extracted
    ),

    final as (
        select
            dated.*,
            {%- for column in [
                "study_type", "overall_status", "last_known_status", "allocation", "intervention_model",
                "observational_model", "primary_purpose", "masking", "start_date_type",
                "primary_completion_date_type", "completion_date_type", "enrollment_type",
            ] %}
                {{ tidegate.mapped("dated.source_" ~ column, "q_trials", column) }} as {{ column }},
            {%- endfor %}
            {{ tidegate.mapped_array("dated.source_phases", "q_trials", "phases") }} as phases,
            {{ tidegate.mapped_array("dated.source_who_masked", "q_trials", "who_masked") }}
            as who_masked,
            {{ tidegate.date_precision("dated.start_text", "dated.start_date") }}
            as start_date_precision,
            {{ tidegate.to_integer("dated.enrollment_text") }} as enrollment,
            '/protocolSection' as pointer
        from dated
    )

select *
from final
