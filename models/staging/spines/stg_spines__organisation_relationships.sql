-- Intervals of what organisations are to each other and to drugs. The key names what only one can
-- be at a time: an organisation has one parent, one acquirer and one later name, a drug one owner;
-- licences stand beside each other.
with
    landed as (select * from {{ source("spines", "organisation_relationships") }} as landed),

    final as (
        select
            concat_ws(
                ':',
                'relationship',
                landed.relationship_type,
                case
                    when landed.relationship_type in ('renamed_to', 'licensed_to')
                    then landed.subject_key
                end,
                case when landed.relationship_type <> 'renamed_to' then landed.object_key end
            ) as relationship_key,
            landed.relationship_type,
            landed.subject_key,
            landed.object_key,
            landed.valid_from,
            landed.valid_to,
            landed.observed_at::timestamp at time zone 'UTC' as observed_at,
            landed.temporal_precision,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
