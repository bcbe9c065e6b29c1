-- The treatment lines of the spines as landed.
with
    landed as (select * from {{ source("spines", "treatment_lines") }} as landed),

    final as (
        select
            landed.treatment_line_key,
            landed.label,
            landed.line_min,
            landed.line_max,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
