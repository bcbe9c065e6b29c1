-- What the warehouse stands behind: one statement a fact, on the claims of the highest authority
-- that
-- no gate rejected. A lower authority carries its marker; overlays of curators come later.
{%- set tiers = [
    "regulator_primary", "registry_primary", "official_statistics", "peer_reviewed",
    "company_filing", "company_announcement", "secondary_news", "model_inferred",
] %}
with
    bound as (
        select
            claims.*,
            array_position({{ tidegate.text_array(tiers) }}, claims.source_authority_tier) as rank
        from {{ ref("claims") }} as claims
        where claims.canonical_bound
    ),

    best as (
        select distinct on (bound.claim_type, bound.subject_key, bound.fact_path) bound.*
        from bound
        order by bound.claim_type, bound.subject_key, bound.fact_path, bound.rank, bound.claim_id
    ),

    supported as (
        select
            bound.claim_type,
            bound.subject_key,
            bound.fact_path,
            array_agg(bound.claim_id order by bound.rank, bound.claim_id) as supporting_claim_ids,
            max(bound.recorded_at) as observed_at
        from bound
        group by bound.claim_type, bound.subject_key, bound.fact_path
    ),

    final as (
        select
            'assertion:'
            || best.claim_type
            || ':'
            || best.subject_key
            || ':'
            || best.fact_path as assertion_key,
            best.claim_type,
            best.subject_key,
            best.fact_path,
            jsonb_strip_nulls(
                jsonb_build_object(
                    'number', best.value_num, 'text', best.value_text, 'unit', best.unit
                )
            ) as value,
            best.source_authority_tier,
            case
                when best.source_authority_tier = 'model_inferred'
                then 'model_inferred'
                when best.source_authority_tier = 'secondary_news'
                then 'secondary_source'
                when
                    best.source_authority_tier = 'company_announcement'
                    and best.claim_type in ('announcement_event', 'regulatory_event')
                then 'announced_not_confirmed'
                else 'none'
            end as lower_authority_marker,
            supported.supporting_claim_ids,
            null::text as curation_overlay_key,
            best.source_version_id as document_version_id,
            best.high_impact,
            'published'::text as publication_state,
            null::date as valid_from,
            null::date as valid_to,
            supported.observed_at
        from best
        inner join
            supported
            on supported.claim_type = best.claim_type
            and supported.subject_key = best.subject_key
            and supported.fact_path = best.fact_path
    )

select *
from final
