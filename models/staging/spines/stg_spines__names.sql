-- Every name of an entry of a spine: its own and those of the curated list.
with
    own_names as (
        select
            'organisation' as spine,
            organisations.display_name as name,
            organisations.organisation_key as owner_key
        from {{ source("spines", "organisations") }} as organisations
        union all
        select 'drug', drugs.preferred_name, drugs.drug_key
        from {{ source("spines", "drugs") }} as drugs
        union all
        select 'segment', segments.preferred_label, segments.segment_key
        from {{ source("spines", "disease_segments") }} as segments
        union all
        select 'endpoint', endpoints.label, endpoints.canonical_endpoint_key
        from {{ source("spines", "endpoints") }} as endpoints
        union all
        select 'endpoint', endpoints.code, endpoints.canonical_endpoint_key
        from {{ source("spines", "endpoints") }} as endpoints
    ),

    curated_names as (
        select names.spine, names.name, names.owner_key
        from {{ source("spines", "names") }} as names
    ),

    all_names as (
        select own_names.*, false as is_curated
        from own_names
        union all
        select curated_names.*, true
        from curated_names
    ),

    final as (
        select
            all_names.spine,
            {{ tidegate.normalized_name("all_names.name") }} as normalized_name,
            all_names.owner_key,
            all_names.is_curated
        from all_names
    )

select final.spine, final.normalized_name, final.owner_key, bool_and(final.is_curated) as is_curated
from final
where final.normalized_name <> ''
group by final.spine, final.normalized_name, final.owner_key
