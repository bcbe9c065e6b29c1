-- T04: who sponsors a trial; an organisation is linked where its exact name is known.
with
    sponsors as (select * from {{ ref("stg_ctgov__sponsors") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            sponsors.trial_sponsor_key,
            sponsors.trial_key,
            sponsors.lead_or_collaborator,
            sponsors.agency_class,
            sponsors.source_name,
            names.owner_key as resolved_organisation_key,
            case when names.owner_key is null then 'unresolved' else 'exact' end as link_state,
            {{ tidegate.publication_tail("sponsors.trial_sponsor_key") }}
        from sponsors
        left join
            names
            on names.spine = 'organisation'
            and names.normalized_name = {{ tidegate.normalized_name("sponsors.source_name") }}
    )

select *
from final
