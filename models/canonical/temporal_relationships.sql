-- What holds for a time: relationships of organisations and standards of care, as half-open
-- intervals with the moment at which they were observed. Gaps are legal, overlaps are not.
with
    organisations as (select * from {{ ref("stg_spines__organisation_relationships") }}),

    recommendations as (select * from {{ ref("stg_spines__soc_recommendations") }}),

    stated as (
        select
            organisations.relationship_key,
            organisations.relationship_type,
            organisations.subject_key,
            organisations.object_key,
            organisations.valid_from,
            organisations.valid_to,
            organisations.observed_at,
            organisations.temporal_precision
        from organisations
        union all
        select
            recommendations.soc_key,
            'soc_recommended',
            recommendations.guideline_body,
            recommendations.segment_key,
            recommendations.valid_from,
            recommendations.valid_to,
            recommendations.observed_at,
            recommendations.temporal_precision
        from recommendations
    ),

    final as (
        select
            stated.relationship_key,
            stated.relationship_type,
            stated.subject_key,
            stated.object_key,
            stated.valid_from,
            stated.valid_to,
            stated.observed_at,
            stated.temporal_precision,
            -- The lists are kept by hand: no claim of a source stands behind their rows.
            array[]::text[] as supporting_claim_ids
        from stated
    )

select *
from final
