-- The countries of ISO 3166-1 as landed.
with
    landed as (select * from {{ source("spines", "countries") }} as landed),

    final as (
        select
            landed.country_code,
            landed.alpha3_code,
            landed.numeric_code,
            landed.short_name,
            landed.common_name,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
