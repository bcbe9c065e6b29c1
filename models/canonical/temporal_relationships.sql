-- What holds for a time: relationships of organisations and standards of care, as half-open
-- intervals with the moment at which they were observed. Gaps are legal, overlaps are not. Each
-- rests on the claim of the list that it stands in, unless a gate rejected that.
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
            organisations.temporal_precision,
            {{ tidegate.claim_id("ownership_relationship", tidegate.relationship_subject("organisations"), "relationship_type") }}
            as claim_id
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
            recommendations.temporal_precision,
            {{ tidegate.claim_id("soc_recommendation", tidegate.recommendation_subject("recommendations"), "strength") }}
        from recommendations
    ),

    claims as (
        select claims.claim_id
        from {{ ref("claims__spines") }} as claims
        where
            claims.canonical_bound
            and not exists (
                select
                from {{ ref("quarantine__spines") }} as rejected
                where rejected.row_key = claims.claim_id
            )
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
            array_remove(array[claims.claim_id], null) as supporting_claim_ids
        from stated
        left join claims on claims.claim_id = stated.claim_id
    )

select *
from final
