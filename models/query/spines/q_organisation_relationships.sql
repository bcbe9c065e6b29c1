-- What organisations were to each other, and when.
with
    relationships as (select * from {{ ref("temporal_relationships") }}),

    final as (
        select
            relationships.relationship_key,
            relationships.subject_key as subject_organisation_key,
            relationships.object_key as object_organisation_key,
            relationships.relationship_type,
            relationships.valid_from,
            relationships.valid_to,
            relationships.observed_at,
            relationships.temporal_precision,
            {{ tidegate.publication_tail("relationships.relationship_key || '|' || relationships.valid_from") }}
        from relationships
        where
            relationships.relationship_type
            = any({{ tidegate.closed_array("q_organisation_relationships", "relationship_type") }})
    )

select *
from final
