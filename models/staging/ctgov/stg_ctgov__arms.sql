-- The arm groups of each trial; of two with one label, the first.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            studies.nct_id,
            {{ tidegate.json_text("arm.document", "label") }} as arm_label,
            {{ tidegate.json_text("arm.document", "type") }} as source_arm_type,
            {{ tidegate.json_text("arm.document", "description") }} as description,
            arm.position,
            '/protocolSection/armsInterventionsModule/armGroups/' || (arm.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.arms_interventions", "armGroups") }}
        with ordinality as arm(document, position)
    ),

    final as (
        select distinct
            on (extracted.trial_key, extracted.arm_label)
            'arm:' || extracted.nct_id || ':' || extracted.arm_label as arm_key,
            extracted.trial_key,
            extracted.arm_label,
            extracted.source_arm_type,
            {{ tidegate.mapped("extracted.source_arm_type", "q_trial_arms", "arm_type") }}
            as arm_type,
            extracted.description,
            extracted.pointer
        from extracted
        where extracted.arm_label is not null
        order by extracted.trial_key, extracted.arm_label, extracted.position
    )

select *
from final
