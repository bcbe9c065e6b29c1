-- T05: what a trial studies; a segment is linked by MeSH identifier or exact name.
with
    conditions as (select * from {{ ref("stg_ctgov__conditions") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    -- A MeSH descriptor that two segments claim links to neither.
    segments as (
        select spine.mesh_ui, min(spine.segment_key) as segment_key
        from {{ ref("stg_spines__disease_segments") }} as spine
        where spine.mesh_ui is not null
        group by spine.mesh_ui
        having count(*) = 1
    ),

    final as (
        select
            conditions.trial_condition_key,
            conditions.trial_key,
            conditions.condition_name,
            conditions.term_source,
            coalesce(segments.segment_key, names.owner_key) as resolved_segment_key,
            case
                when coalesce(segments.segment_key, names.owner_key) is null
                then 'unresolved'
                else 'exact'
            end as link_state,
            {{ tidegate.publication_tail("conditions.trial_condition_key") }}
        from conditions
        left join segments on segments.mesh_ui = conditions.mesh_ui
        left join
            names
            on names.spine = 'segment'
            and names.normalized_name = {{ tidegate.normalized_name("conditions.condition_name") }}
    )

select *
from final
