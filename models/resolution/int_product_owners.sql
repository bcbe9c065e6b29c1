-- Who owned a product when, as half-open intervals: the list of relationships tells it of drugs.
-- Sales of a period are those of whoever owned the product in all of it.
with
    relationships as (select * from {{ ref("temporal_relationships") }}),

    final as (
        select
            relationships.object_key as product_key,
            relationships.subject_key as organisation_key,
            relationships.valid_from,
            relationships.valid_to
        from relationships
        where relationships.relationship_type = 'owns_asset'
    )

select *
from final
