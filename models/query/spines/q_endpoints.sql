-- The endpoints that other models refer to.
with
    endpoints as (select * from {{ ref("stg_spines__endpoints") }}),

    final as (
        select
            endpoints.canonical_endpoint_key,
            endpoints.code,
            endpoints.label,
            endpoints.endpoint_family,
            endpoints.requires_confirmation,
            endpoints.event_definition,
            endpoints.must_not_merge_with,
            {{ tidegate.publication_tail("endpoints.canonical_endpoint_key") }}
        from endpoints
    )

select *
from final
