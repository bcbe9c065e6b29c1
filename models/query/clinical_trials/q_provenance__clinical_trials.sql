-- One complete receipt for every row of the family, and one for each posted value. The locator is
-- an RFC 6901 pointer from the root of the record, with the record's number in the artefact.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set evidence = [ref("enum_quarantine"), ref("date_quarantine")] %}
{%- set attested = [
    ("q_trials", ref("stg_ctgov__trials"), ["trial_key"]),
    ("q_trial_identifiers", ref("stg_ctgov__identifiers"), ["trial_identifier_key"]),
    ("q_trial_sponsors", ref("stg_ctgov__sponsors"), ["trial_sponsor_key"]),
    ("q_trial_conditions", ref("stg_ctgov__conditions"), ["trial_condition_key"]),
    ("q_trial_eligibility", ref("stg_ctgov__eligibility"), ["trial_key"]),
    ("q_trial_locations", ref("stg_ctgov__locations"), ["trial_location_key"]),
    ("q_trial_arms", ref("stg_ctgov__arms"), ["arm_key"]),
    ("q_trial_interventions", ref("stg_ctgov__interventions"), ["trial_intervention_key"]),
    (
        "q_trial_arm_interventions",
        ref("stg_ctgov__arm_interventions"),
        ["arm_key", "trial_intervention_key"],
    ),
    ("q_trial_planned_outcomes", ref("stg_ctgov__planned_outcomes"), ["trial_planned_outcome_key"]),
    ("q_trial_result_groups", ref("stg_ctgov__result_groups"), ["result_group_key"]),
    ("q_trial_outcomes", ref("stg_ctgov__outcomes"), ["trial_outcome_key"]),
    ("q_trial_outcome_analyses", ref("stg_ctgov__outcome_analyses"), ["trial_outcome_analysis_key"]),
    ("q_trial_participant_flow", ref("stg_ctgov__participant_flow"), ["trial_flow_key"]),
    ("q_trial_adverse_events", ref("stg_ctgov__adverse_events"), ["trial_adverse_event_key"]),
    ("q_trial_references", ref("stg_ctgov__references"), ["trial_reference_key"]),
] %}
{%- set posted = tidegate.claim_id("registry_outcome_value", "staged.trial_outcome_key", "value_num") %}
{%- set claimed = {
    "q_trial_outcomes": posted,
    "q_trial_outcome_analyses": tidegate.claim_id("registry_analysis_value", "staged.trial_outcome_analysis_key", "param_value"),
} %}
{%- set links = [] %}
{%- for model_name, fact, kind, rows, key, subject in [
    ("q_trial_sponsors", "resolved_organisation_key", "trial_sponsor_org", ref("stg_ctgov__sponsors"), "trial_sponsor_key", "linked.trial_sponsor_key"),
    ("q_trial_conditions", "resolved_segment_key", "trial_condition_segment", ref("stg_ctgov__conditions"), "trial_condition_key", "linked.trial_condition_key"),
    ("q_trial_interventions", "resolved_drug_key", "trial_intervention_drug", ref("stg_ctgov__interventions"), "trial_intervention_key", "linked.trial_intervention_key"),
    ("q_trial_result_groups", "arm_key", "trial_arm_link", ref("stg_ctgov__result_groups"), "result_group_key", "linked.result_group_key"),
    ("q_trial_outcomes", "arm_key", "trial_arm_link", ref("stg_ctgov__outcomes"), "trial_outcome_key", "linked.result_group_key"),
    ("q_trial_adverse_events", "arm_key", "trial_arm_link", ref("stg_ctgov__adverse_events"), "trial_adverse_event_key", "linked.result_group_key"),
    ("q_trial_locations", "country_code", "trial_country", ref("stg_ctgov__locations"), "trial_location_key", tidegate.alias_key("trial_country", "clinical_trials", "linked.country_name")),
    ("q_trial_planned_outcomes", "canonical_endpoint_key", "trial_endpoint", ref("stg_ctgov__planned_outcomes"), "trial_planned_outcome_key", tidegate.alias_key("trial_endpoint", "clinical_trials", "linked.measure")),
    ("q_trial_outcomes", "canonical_endpoint_key", "trial_endpoint", ref("stg_ctgov__outcomes"), "trial_outcome_key", tidegate.alias_key("trial_endpoint", "clinical_trials", "linked.outcome_title")),
] %}
    {%- do links.append(
        {
            "model": model_name,
            "fact": fact,
            "kind": kind,
            "rows": rows,
            "key": [key],
            "subject": subject,
        }
    ) %}
{%- endfor %}
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    current_rows as (
        {%- for model_name, staged, key in attested %}
            select
                {{ tidegate.literal(model_name) }} as model_name,
                {{ tidegate.row_key(key, "staged") }} as row_key,
                '$row' as fact_path,
                staged.trial_key,
                staged.pointer,
                {{ claimed.get(model_name, "null::text") }} as claim_id
            from {{ staged }} as staged
            union all
        {%- endfor %}
        select
            'q_trial_outcomes' as model_name,
            staged.trial_outcome_key as row_key,
            'value_num' as fact_path,
            staged.trial_key,
            staged.pointer || '/value' as pointer,
            {{ posted }} as claim_id
        from {{ ref("stg_ctgov__outcomes") }} as staged
    ),

    located as (
        select
            current_rows.model_name,
            current_rows.row_key,
            current_rows.fact_path,
            current_rows.pointer,
            current_rows.claim_id,
            studies.source_artifact_key,
            studies.snapshot_id as source_version_id,
            studies.content_sha256,
            studies.immutable_uri,
            studies.record_number,
            studies.received_at
        from current_rows
        inner join studies on studies.trial_key = current_rows.trial_key
        union all
        -- An interval of the status history is attested by the snapshot that began it.
        select
            'q_trial_status_history' as model_name,
            {{ tidegate.row_key(["trial_key", "valid_from"], "history") }} as row_key,
            '$row' as fact_path,
            history.pointer,
            {{ tidegate.claim_id("trial_status", "history.trial_key || '@' || history.valid_from", "overall_status") }}
            as claim_id,
            history.source_artifact_key,
            history.first_snapshot_id as source_version_id,
            history.content_sha256,
            history.immutable_uri,
            history.record_number,
            history.received_at
        from {{ ref("stg_ctgov__status_history") }} as history
    ),

    final as (
        select
            located.model_name || '|' || located.row_key || '|' || located.fact_path as receipt_key,
            located.model_name || '|' || located.row_key as provenance_bundle_key,
            located.model_name,
            located.row_key,
            located.fact_path,
            'primary'::text as role,
            located.source_artifact_key,
            located.source_version_id,
            located.content_sha256 as source_content_hash,
            located.immutable_uri as source_immutable_uri,
            'json_pointer'::text as locator_shape,
            jsonb_build_object(
                'record', located.record_number, 'pointer', located.pointer
            ) as locator,
            'registry_primary'::text as source_authority_tier,
            'complete'::text as completeness,
            located.received_at as recorded_at,
            null::text as curation_overlay_key,
            {{ tidegate.claim_of_receipt("claims") }}
        from located
        left join
            {{ ref("claims__clinical_trials") }} as claims
            on claims.claim_id = located.claim_id
            and claims.canonical_bound
    )

select *
from final
union all
{{ tidegate.linked_receipts("final", links, ref("links__clinical_trials")) }}
