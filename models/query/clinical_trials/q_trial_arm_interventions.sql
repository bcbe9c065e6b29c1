-- T10: which arm gets which intervention.
with
    arm_interventions as (select * from {{ ref("stg_ctgov__arm_interventions") }}),

    final as (
        select
            arm_interventions.arm_key,
            arm_interventions.trial_intervention_key,
            arm_interventions.trial_key,
            {{
                tidegate.publication_tail(
                    "arm_interventions.arm_key || '|' || arm_interventions.trial_intervention_key"
                )
            }}
        from arm_interventions
    )

select *
from final
