-- The interventions of each trial; of two with one type and name, the first.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            studies.nct_id,
            {{ tidegate.json_text("intervention.document", "type") }} as source_intervention_type,
            {{ tidegate.json_text("intervention.document", "name") }} as source_name,
            {{ tidegate.json_text_array("intervention.document", "otherNames") }} as other_names,
            {{ tidegate.json_text("intervention.document", "description") }} as description,
            intervention.document,
            intervention.position,
            '/protocolSection/armsInterventionsModule/interventions/'
            || (intervention.position - 1) as pointer
        from studies
        cross join
            lateral {{ tidegate.json_elements("studies.arms_interventions", "interventions") }}
        with ordinality as intervention(document, position)
    ),

    final as (
        select distinct
            on (extracted.trial_key, extracted.source_intervention_type, extracted.source_name)
            'intervention:'
            || extracted.nct_id
            || ':'
            || coalesce(extracted.source_intervention_type, '')
            || ':'
            || extracted.source_name as trial_intervention_key,
            extracted.trial_key,
            extracted.source_intervention_type,
            {{ tidegate.mapped("extracted.source_intervention_type", "q_trial_interventions", "intervention_type") }}
            as intervention_type,
            coalesce(
                extracted.source_intervention_type
                in ('BEHAVIORAL', 'DEVICE', 'DIAGNOSTIC_TEST', 'PROCEDURE', 'RADIATION'),
                false
            )
            or {{ tidegate.normalized_name("extracted.source_name") }}
            ~ '^placebo( |$)' as is_not_a_drug,
            extracted.source_name,
            extracted.other_names,
            extracted.description,
            extracted.document,
            extracted.pointer
        from extracted
        where extracted.source_name is not null
        order by
            extracted.trial_key,
            extracted.source_intervention_type,
            extracted.source_name,
            extracted.position
    )

select *
from final
