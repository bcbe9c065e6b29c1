-- The countries and territories that other models refer to.
with
    countries as (select * from {{ ref("stg_spines__countries") }}),

    final as (
        select
            countries.country_code::character(2) as country_code,
            countries.alpha3_code::character(3) as alpha3_code,
            countries.numeric_code::character(3) as numeric_code,
            coalesce(countries.common_name, countries.short_name) as display_name,
            countries.short_name as iso_short_name,
            {{ tidegate.publication_tail("countries.country_code") }}
        from countries
    )

select *
from final
