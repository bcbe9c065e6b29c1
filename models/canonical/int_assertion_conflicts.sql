-- Statements of which a claim that no gate rejected says otherwise than the one they rest on,
-- with all
-- such claims. The statement stays, on the higher authority; the claims stay too, and it is told.
with
    assertions as (select * from {{ ref("assertions") }}),

    claims as (select * from {{ ref("claims") }} where canonical_bound),

    final as (
        select
            assertions.assertion_key,
            'conflicting'::text as conflict_role,
            assertions.fact_path,
            coalesce(
                assertions.source_value ->> 'number', assertions.source_value ->> 'text'
            ) as value,
            assertions.source_value ->> 'unit' as unit,
            assertions.source_authority_tier,
            array_agg(claims.claim_id order by claims.claim_id) as claim_ids,
            array_agg(
                coalesce(claims.value_num::text, claims.value_text) order by claims.claim_id
            ) as claimed_values,
            array_agg(claims.unit order by claims.claim_id) as claimed_units,
            string_agg(
                distinct claims.source_authority_tier, ', ' order by claims.source_authority_tier
            ) as claimed_tiers
        from assertions
        inner join
            claims
            on claims.claim_type = assertions.claim_type
            and claims.subject_key = assertions.subject_key
            and claims.fact_path = assertions.fact_path
            and claims.claim_id <> all(assertions.supporting_claim_ids)
        group by
            assertions.assertion_key,
            assertions.fact_path,
            assertions.source_value,
            assertions.source_authority_tier
    )

select *
from final
