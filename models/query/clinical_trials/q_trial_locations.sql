-- T07: where a trial is run.
with
    locations as (select * from {{ ref("stg_ctgov__locations") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            locations.trial_location_key,
            locations.trial_key,
            locations.facility_name,
            locations.city,
            locations.state,
            locations.zip,
            locations.country_name,
            names.owner_key::character(2) as country_code,
            locations.location_status,
            locations.latitude,
            locations.longitude,
            {{ tidegate.publication_tail("locations.trial_location_key") }}
        from locations
        left join
            names
            on names.spine = 'country'
            and names.normalized_name = {{ tidegate.normalized_name("locations.country_name") }}
    )

select *
from final
