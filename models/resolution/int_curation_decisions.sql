-- The newest decision about each overlay, as the review of overlays judges it, and why it was
-- proposed. Of those that an agent reviewed every fourth, by its key, is due for a look by a
-- person. An approval from before the ledger refused it may be by whoever proposed the overlay: of
-- the same name, but for case and spaces, or of the same login. A superuser's login is everybody's
-- on the embedded server, so it tells nothing.
with
    decisions as (select * from {{ source("curation", "decision_events") }} as decisions),

    overlays as (select * from {{ source("curation", "overlays") }} as overlays),

    in_force as (select * from {{ source("curation", "effective_overlays") }} as in_force),

    newest as (
        select distinct on (decisions.overlay_key) decisions.*
        from decisions
        order by decisions.overlay_key, decisions.event_no desc
    ),

    proposals as (select * from decisions where decisions.event_kind = 'proposed'),

    final as (
        select
            overlays.overlay_key,
            newest.decision_event_key,
            overlays.overlay_kind,
            overlays.impact,
            overlays.review_state,
            coalesce(in_force.is_active, false) as is_active,
            in_force.effective_since,
            newest.event_kind,
            newest.actor,
            newest.actor_kind,
            newest.occurred_at,
            newest.rationale,
            newest.rejection_reason,
            newest.supersedes_event_key,
            newest.superseded_by_key,
            proposals.rationale as proposed_because,
            newest.event_kind = 'auto_reviewed'
            and get_byte(sha256(convert_to(overlays.overlay_key, 'UTF8')), 0) % 4 = 0 as audit_due,
            newest.event_kind in ('human_approved', 'auto_reviewed')
            and (
                {{ tidegate.name_of_a_person("newest.actor") }}
                = {{ tidegate.name_of_a_person("proposals.actor") }}
                or newest.session_role = proposals.session_role
                and not exists (
                    select
                    from pg_roles as logins
                    where logins.rolname = newest.session_role and logins.rolsuper
                )
            ) as self_approved
        from overlays
        left join newest on newest.overlay_key = overlays.overlay_key
        left join proposals on proposals.overlay_key = overlays.overlay_key
        left join in_force on in_force.overlay_key = overlays.overlay_key
    )

select *
from final
