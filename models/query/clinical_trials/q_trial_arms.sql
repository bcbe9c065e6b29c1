-- T08: the arms that a trial registered.
with
    arms as (select * from {{ ref("stg_ctgov__arms") }}),

    final as (
        select
            arms.arm_key,
            arms.trial_key,
            arms.arm_label,
            arms.arm_type,
            arms.description,
            {{ tidegate.publication_tail("arms.arm_key") }}
        from arms
    )

select *
from final
