-- Which arm a result group is. A title that equals the label of one arm of the trial links by
-- itself ("Nivolumab" is not "Arm A: Nivolumab"); anything else takes a verifier or a curator. A
-- total belongs to no arm.
with
    groups as (select * from {{ ref("stg_ctgov__result_groups") }}),

    links as (
        select * from {{ ref("links__clinical_trials") }} where subject_kind = 'trial_arm_link'
    ),

    final as (
        select
            groups.result_group_key,
            case when links.publishable then links.target_key end as arm_key,
            case
                when groups.title = 'Total'
                then 'total_group'
                else {{ tidegate.link_word("links", "exact_label", "unlinked", "rejected") }}
            end as arm_link_state,
            case
                when links.publishable
                then 'arm_link:' || groups.result_group_key || '|' || links.target_key
            end as arm_link_key
        from groups
        left join links on links.subject_key = groups.result_group_key
    )

select *
from final
