-- The disease segments of the spines as landed; lists become arrays.
with
    landed as (select * from {{ source("spines", "disease_segments") }} as landed),

    final as (
        select
            landed.segment_key,
            landed.preferred_label,
            landed.mesh_ui,
            landed.ncit_code,
            {{ tidegate.listed("landed.icd10_codes") }} as icd10_codes,
            landed.biomarker_expression,
            landed.parent_segment_key,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
