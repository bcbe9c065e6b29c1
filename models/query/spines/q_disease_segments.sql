-- The disease and biomarker segments that other models refer to.
with
    segments as (select * from {{ ref("stg_spines__disease_segments") }}),

    final as (
        select
            segments.segment_key,
            segments.preferred_label,
            segments.mesh_ui,
            segments.ncit_code,
            segments.icd10_codes,
            segments.biomarker_expression,
            segments.parent_segment_key,
            {{ tidegate.publication_tail("segments.segment_key") }}
        from segments
    )

select *
from final
