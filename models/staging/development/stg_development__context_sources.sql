-- Which records of other sources tell milestones of which context. A basket trial tells of several.
with
    landed as (select * from {{ source("development", "development_context_sources") }} as landed),

    final as (
        select
            'ctx:' || landed.context_id as context_key,
            landed.source_kind,
            landed.native_id,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
