-- The sites of each trial. Sites that read alike are counted, for the registry gives them no
-- number.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            studies.nct_id,
            {{ tidegate.json_text("location.document", "facility") }} as facility_name,
            {{ tidegate.json_text("location.document", "city") }} as city,
            {{ tidegate.json_text("location.document", "state") }} as state,
            {{ tidegate.json_text("location.document", "zip") }} as zip,
            {{ tidegate.json_text("location.document", "country") }} as country_name,
            {{ tidegate.json_text("location.document", "status") }} as location_status,
            {{ tidegate.json_text("location.document", "geoPoint/lat") }} as latitude_text,
            {{ tidegate.json_text("location.document", "geoPoint/lon") }} as longitude_text,
            location.position,
            '/protocolSection/contactsLocationsModule/locations/'
            || (location.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.contacts_locations", "locations") }}
        with ordinality as location(document, position)
    ),

    placed as (
        select
            extracted.*,
            extracted.nct_id
            || ':'
            || extracted.country_name
            || ':'
            || coalesce(extracted.state, '')
            || ':'
            || coalesce(extracted.city, '')
            || ':'
            || coalesce(extracted.facility_name, '') as place
        from extracted
        where extracted.country_name is not null
    ),

    final as (
        select
            'location:'
            || placed.place
            || ':'
            || row_number() over (
                partition by placed.place order by placed.position
            ) as trial_location_key,
            placed.trial_key,
            placed.facility_name,
            placed.city,
            placed.state,
            placed.zip,
            placed.country_name,
            placed.location_status,
            {{ tidegate.degrees("placed.latitude_text", 90) }} as latitude,
            {{ tidegate.degrees("placed.longitude_text", 180) }} as longitude,
            placed.pointer
        from placed
    )

select *
from final
