-- Publications and the trials they report on. Values may be compared where the trial is known and
-- its link is accepted; a title that merely looks like a trial's never makes one comparable.
with
    links as (select * from {{ ref("int_publication_trials") }}),

    final as (
        select
            links.publication_trial_link_key,
            links.publication_key,
            links.registry_number,
            links.trial_key,
            links.link_basis,
            links.link_state,
            links.comparison_eligible,
            {{ tidegate.publication_tail("links.publication_trial_link_key", "case links.link_state when 'provisional' then 'provisional' else 'published' end") }}
        from links
    )

select *
from final
