-- Which arm a result group is. Only a title that equals the label of one arm of the trial links by
-- itself ("Nivolumab" is not "Arm A: Nivolumab"); a total belongs to no arm.
with
    groups as (select * from {{ ref("stg_ctgov__result_groups") }}),

    arms as (select * from {{ ref("stg_ctgov__arms") }}),

    final as (
        select
            groups.result_group_key,
            arms.arm_key,
            case
                when arms.arm_key is not null
                then 'exact_label'
                when groups.title = 'Total'
                then 'total_group'
                else 'unlinked'
            end as arm_link_state,
            'arm_link:' || groups.result_group_key || '|' || arms.arm_key as arm_link_key
        from groups
        left join arms on arms.trial_key = groups.trial_key and arms.arm_label = groups.title
    )

select *
from final
