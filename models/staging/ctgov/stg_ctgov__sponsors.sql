-- The lead sponsor and the collaborators of each trial; of two with one role and name, the first.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    leads as (
        select
            studies.trial_key,
            studies.nct_id,
            'lead' as lead_or_collaborator,
            studies.sponsors -> 'leadSponsor' as document,
            1::bigint as position,
            '/protocolSection/sponsorCollaboratorsModule/leadSponsor' as pointer
        from studies
    ),

    collaborators as (
        select
            studies.trial_key,
            studies.nct_id,
            'collaborator' as lead_or_collaborator,
            collaborator.document,
            collaborator.position,
            '/protocolSection/sponsorCollaboratorsModule/collaborators/'
            || (collaborator.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.sponsors", "collaborators") }}
        with ordinality as collaborator(document, position)
    ),

    sponsors as (
        select *
        from leads
        union all
        select *
        from collaborators
    ),

    typed as (
        select
            sponsors.*,
            {{ tidegate.json_text("sponsors.document", "name") }} as source_name,
            {{ tidegate.json_text("sponsors.document", "class") }} as source_agency_class
        from sponsors
    ),

    final as (
        select distinct
            on (typed.trial_key, typed.lead_or_collaborator, typed.source_name)
            'sponsor:'
            || typed.nct_id
            || ':'
            || typed.lead_or_collaborator
            || ':'
            || typed.source_name as trial_sponsor_key,
            typed.trial_key,
            typed.lead_or_collaborator,
            typed.source_agency_class,
            {{ tidegate.mapped("typed.source_agency_class", "q_trial_sponsors", "agency_class") }}
            as agency_class,
            typed.source_name,
            typed.pointer
        from typed
        where typed.source_name is not null
        order by typed.trial_key, typed.lead_or_collaborator, typed.source_name, typed.position
    )

select *
from final
