-- T12: the groups of participants in the posted results.
with
    groups as (select * from {{ ref("stg_ctgov__result_groups") }}),

    arm_links as (select * from {{ ref("int_result_group_arms") }}),

    final as (
        select
            groups.result_group_key,
            groups.trial_key,
            groups.result_type,
            groups.outcome_ordinal,
            groups.ctgov_group_code,
            groups.title,
            groups.description,
            arm_links.arm_key,
            arm_links.arm_link_state,
            arm_links.arm_link_key,
            {{ tidegate.publication_tail("groups.result_group_key") }}
        from groups
        inner join arm_links on arm_links.result_group_key = groups.result_group_key
    )

select *
from final
