-- Which arm of the registered trial a published arm is: only where the labels are equal.
with
    arms as (select * from {{ ref("stg_pubmed__arms") }}),

    links as (select * from {{ ref("int_publication_trials") }} where comparison_eligible),

    registered as (select * from {{ ref("stg_ctgov__arms") }}),

    final as (
        select arms.publication_arm_key, min(registered.arm_key) as trial_arm_key
        from arms
        inner join links on links.publication_key = arms.publication_key
        inner join
            registered
            on registered.trial_key = links.trial_key
            and registered.arm_label = arms.source_arm_label
        group by arms.publication_arm_key
        having count(*) = 1
    )

select *
from final
