-- Arms as written; an arm of the trial is linked only by an equal label.
with
    arms as (select * from {{ ref("stg_pubmed__arms") }}),

    links as (select * from {{ ref("int_publication_arms") }}),

    final as (
        select
            arms.publication_arm_key,
            arms.publication_key,
            arms.source_arm_label,
            arms.arm_role,
            arms.dose_value,
            arms.dose_unit,
            arms.schedule_text,
            arms.is_rp2d,
            links.trial_arm_key,
            case
                when links.trial_arm_key is null then 'unlinked' else 'exact_label'
            end as arm_link_state,
            arms.source_quote,
            {{ tidegate.publication_tail("arms.publication_arm_key") }}
        from arms
        left join links on links.publication_arm_key = arms.publication_arm_key
    )

select *
from final
