-- What curators say instead of the sources, and why: whatever is changed or withheld stands here.
with
    overlays as (select * from {{ ref("int_curation_overlays") }} where is_active),

    links as (select * from {{ ref("links") }} where overlay_key is not null),

    final as (
        select
            overlays.overlay_key,
            overlays.overlay_kind,
            overlays.subject_kind,
            overlays.subject_key,
            overlays.fact_path,
            overlays.impact,
            overlays.review_state,
            overlays.proposed_because as reason,
            overlays.effective_since,
            case
                when overlays.fact_path = 'target_key' then links.overlay_key is not null
            end as took_part,
            {{ tidegate.publication_tail("overlays.overlay_key") }}
        from overlays
        left join links on links.overlay_key = overlays.overlay_key
    )

select *
from final
