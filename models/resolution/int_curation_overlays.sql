-- Every overlay, with whether it is in force: read once for a whole build, so that an approval in
-- the middle of one is part of the next. What was withdrawn is as closed as what was superseded.
with
    overlays as (select * from {{ source("curation", "overlays") }} as overlays),

    decisions as (select * from {{ ref("int_curation_decisions") }}),

    final as (
        select
            overlays.overlay_key,
            overlays.subject_kind,
            overlays.subject_key,
            overlays.fact_path,
            overlays.overlay_kind,
            overlays.new_value,
            overlays.impact,
            overlays.review_state,
            overlays.precedence,
            overlays.created_at,
            overlays.previous_value,
            decisions.is_active,
            decisions.effective_since,
            case
                decisions.event_kind
                when 'superseded'
                then decisions.superseded_by_key
                when 'withdrawn'
                then overlays.overlay_key
            end as superseded_by_key,
            decisions.proposed_because
        from overlays
        inner join decisions on decisions.overlay_key = overlays.overlay_key
    )

select *
from final
