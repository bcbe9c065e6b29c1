-- T04: who sponsors a trial; an organisation is linked where its exact name is known.
with
    sponsors as (select * from {{ ref("stg_ctgov__sponsors") }}),

    links as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_sponsor_org' and publishable
    ),

    final as (
        select
            sponsors.trial_sponsor_key,
            sponsors.trial_key,
            sponsors.lead_or_collaborator,
            sponsors.agency_class,
            sponsors.source_name,
            links.target_key as resolved_organisation_key,
            {{ tidegate.link_word("links") }} as link_state,
            {{ tidegate.publication_tail("sponsors.trial_sponsor_key") }}
        from sponsors
        left join links on links.subject_key = sponsors.trial_sponsor_key
    )

select *
from final
