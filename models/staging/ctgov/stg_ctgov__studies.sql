-- The latest snapshot of each trial, taken apart into the modules of the record, so that the models
-- of the current state unpack each large document once and then only what they need of it.
{%- set modules = {
    "identification": "protocolSection/identificationModule",
    "status": "protocolSection/statusModule",
    "sponsors": "protocolSection/sponsorCollaboratorsModule",
    "oversight": "protocolSection/oversightModule",
    "conditions": "protocolSection/conditionsModule",
    "design": "protocolSection/designModule",
    "arms_interventions": "protocolSection/armsInterventionsModule",
    "outcomes": "protocolSection/outcomesModule",
    "eligibility": "protocolSection/eligibilityModule",
    "contacts_locations": "protocolSection/contactsLocationsModule",
    "reference_list": "protocolSection/referencesModule",
    "participant_flow": "resultsSection/participantFlowModule",
    "baseline": "resultsSection/baselineCharacteristicsModule",
    "outcome_measures": "resultsSection/outcomeMeasuresModule",
    "adverse_events": "resultsSection/adverseEventsModule",
    "condition_browse": "derivedSection/conditionBrowseModule",
} %}
with
    snapshots as (select * from {{ ref("stg_ctgov__snapshots") }}),

    ranked as (
        select
            snapshots.*,
            row_number() over (
                partition by snapshots.trial_key order by snapshots.snapshot_date desc
            ) as recency
        from snapshots
    ),

    final as (
        select
            ranked.trial_key,
            ranked.nct_id,
            ranked.snapshot_id,
            {%- for module, path in modules.items() %}
                ranked.payload
                #> {{ tidegate.json_path(path) }} as {{ tidegate.identifier(module) }},
            {%- endfor %}
            ranked.payload ? 'resultsSection' as has_results,
            ranked.source_artifact_key,
            ranked.content_sha256,
            ranked.immutable_uri,
            ranked.record_number,
            ranked.received_at
        from ranked
        where ranked.recency = 1
    )

select *
from final
