-- Which arm gets which intervention: labels that name an arm of the same trial exactly.
with
    interventions as (select * from {{ ref("stg_ctgov__interventions") }}),

    arms as (select * from {{ ref("stg_ctgov__arms") }}),

    labels as (
        select
            interventions.trial_key,
            interventions.trial_intervention_key,
            btrim(label.document #>> '{}') as arm_label,
            label.position,
            interventions.pointer || '/armGroupLabels/' || (label.position - 1) as pointer
        from interventions
        cross join lateral {{ tidegate.json_elements("interventions.document", "armGroupLabels") }}
        with ordinality as label(document, position)
    ),

    final as (
        select distinct
            on (arms.arm_key, labels.trial_intervention_key)
            arms.arm_key,
            labels.trial_intervention_key,
            labels.trial_key,
            labels.pointer
        from labels
        inner join arms on arms.trial_key = labels.trial_key and arms.arm_label = labels.arm_label
        order by arms.arm_key, labels.trial_intervention_key, labels.position
    )

select *
from final
