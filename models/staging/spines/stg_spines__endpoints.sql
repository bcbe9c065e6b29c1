-- The endpoints of the spines as landed; lists become arrays.
with
    landed as (select * from {{ source("spines", "endpoints") }} as landed),

    final as (
        select
            landed.canonical_endpoint_key,
            landed.code,
            landed.label,
            landed.endpoint_family,
            landed.requires_confirmation,
            landed.event_definition,
            {{ tidegate.listed("landed.must_not_merge_with") }} as must_not_merge_with,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
