-- Every name of an entry of a spine: its own, its code where a standard gives it one, and those of
-- the curated list. `match_method` says how a term that equals it was recognised.
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
        union all
        select 'country', countries.short_name, countries.country_code
        from {{ source("spines", "countries") }} as countries
        union all
        select 'country', countries.common_name, countries.country_code
        from {{ source("spines", "countries") }} as countries
        where countries.common_name is not null
    ),

    codes as (
        select 'country' as spine, code.name, countries.country_code as owner_key
        from {{ source("spines", "countries") }} as countries
        cross join lateral(values (countries.country_code), (countries.alpha3_code)) as code(name)
        -- Sources write "NA" for what is not available far more often than for Namibia.
        where code.name <> 'NA'
    ),

    curated_names as (
        select names.spine, names.name, names.owner_key
        from {{ source("spines", "names") }} as names
    ),

    all_names as (
        select codes.*, 'exact_identifier' as match_method, 1 as precedence
        from codes
        union all
        select own_names.*, 'exact_normalized_label', 2
        from own_names
        union all
        select curated_names.*, 'curated_table', 3
        from curated_names
    ),

    normalized as (
        select all_names.*, {{ tidegate.normalized_name("all_names.name") }} as normalized_name
        from all_names
    ),

    final as (
        select distinct
            on (normalized.spine, normalized.normalized_name, normalized.owner_key)
            normalized.spine,
            normalized.normalized_name,
            normalized.owner_key,
            normalized.name,
            normalized.match_method
        from normalized
        where normalized.normalized_name <> ''
        order by
            normalized.spine,
            normalized.normalized_name,
            normalized.owner_key,
            normalized.precedence,
            normalized.name
    )

select *
from final
