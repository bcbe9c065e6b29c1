-- Intervals of what guidelines recommend; a new version that says the same is a further interval.
with
    landed as (select * from {{ source("spines", "soc_recommendations") }} as landed),

    final as (
        select
            'soc:' || landed.guideline_body || ':' || landed.statement_id as soc_key,
            landed.segment_key,
            landed.treatment_line_key,
            landed.regimen_label,
            landed.guideline_body,
            landed.guideline_version,
            landed.strength,
            landed.valid_from,
            landed.valid_to,
            landed.observed_at::timestamp at time zone 'UTC' as observed_at,
            landed.temporal_precision,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
