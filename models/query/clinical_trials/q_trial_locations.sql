-- T07: where a trial is run.
with
    locations as (select * from {{ ref("stg_ctgov__locations") }}),

    countries as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_country' and publishable
    ),

    final as (
        select
            locations.trial_location_key,
            locations.trial_key,
            locations.facility_name,
            locations.city,
            locations.state,
            locations.zip,
            locations.country_name,
            countries.target_key::character(2) as country_code,
            locations.location_status,
            locations.latitude,
            locations.longitude,
            {{ tidegate.publication_tail("locations.trial_location_key") }}
        from locations
        left join
            countries
            on countries.subject_key
            = {{ tidegate.alias_key("trial_country", "clinical_trials", "locations.country_name") }}
    )

select *
from final
