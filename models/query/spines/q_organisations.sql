-- The organisations that other models refer to.
with
    organisations as (select * from {{ ref("stg_spines__organisations") }}),

    final as (
        select
            organisations.organisation_key,
            organisations.display_name,
            organisations.organisation_kind,
            organisations.country_code::character(2) as country_code,
            organisations.lei::character(20) as lei,
            organisations.status,
            {{ tidegate.publication_tail("organisations.organisation_key") }}
        from organisations
    )

select *
from final
