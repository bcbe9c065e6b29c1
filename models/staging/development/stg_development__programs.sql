-- Development programs as landed. The regimen of a program is its drugs in any order.
with
    landed as (select * from {{ source("development", "development_programs") }} as landed),

    final as (
        select
            'prog:' || landed.program_id as program_key,
            landed.drug_name,
            {{ tidegate.listed("landed.regimen") }} as regimen_names,
            {{ tidegate.source_and_mapped("landed.program_kind", "q_development_programs", "program_kind") }},
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
