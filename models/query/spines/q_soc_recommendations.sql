-- What guidelines recommend as standard of care, for as long as it is one.
with
    recommendations as (select * from {{ ref("stg_spines__soc_recommendations") }}),

    -- What is published are intervals that stand as canonical relationships.
    relationships as (select * from {{ ref("temporal_relationships") }}),

    final as (
        select
            recommendations.soc_key,
            recommendations.segment_key,
            recommendations.treatment_line_key,
            recommendations.regimen_label,
            recommendations.guideline_body,
            recommendations.guideline_version,
            recommendations.strength,
            relationships.valid_from,
            relationships.valid_to,
            relationships.observed_at,
            relationships.temporal_precision,
            {{ tidegate.publication_tail("recommendations.soc_key || '|' || recommendations.valid_from") }}
        from recommendations
        inner join
            relationships
            on relationships.relationship_key = recommendations.soc_key
            and relationships.valid_from = recommendations.valid_from
    )

select *
from final
