-- The organisations of the spines as landed.
with
    landed as (select * from {{ source("spines", "organisations") }} as landed),

    final as (
        select
            landed.organisation_key,
            landed.display_name,
            landed.organisation_kind,
            landed.country_code,
            landed.lei,
            landed.status,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
