-- What programs are developed for, as landed. What is not stated stays unknown.
with
    landed as (select * from {{ source("development", "development_contexts") }} as landed),

    final as (
        select
            'ctx:' || landed.context_id as context_key,
            'prog:' || landed.program_id as program_key,
            landed.segment_name,
            {{ tidegate.source_and_mapped("landed.segment_state", "q_development_programs", "segment_state") }},
            landed.line_label,
            landed.line_state as source_treatment_line_state,
            {{ tidegate.mapped("landed.line_state", "q_development_programs", "treatment_line_state") }}
            as treatment_line_state,
            {{ tidegate.source_and_mapped("landed.setting", "q_development_programs", "setting") }},
            {{ tidegate.source_and_mapped("landed.region_code", "q_development_programs", "region_code") }},
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
