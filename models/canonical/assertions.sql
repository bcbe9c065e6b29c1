-- What the warehouse stands behind: one statement a fact, on the claim of the highest authority
-- that no gate rejected and on those that say the same. A lower authority carries its marker. An
-- overlay in force says otherwise: it has another value, another marker, or withholds the
-- statement, which stays here and says so. One that may mean several statements changes none.
{%- set tiers = [
    "regulator_primary", "registry_primary", "official_statistics", "peer_reviewed",
    "company_filing", "company_announcement", "secondary_news", "reference_list", "model_inferred",
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
        inner join
            best
            on best.claim_type = bound.claim_type
            and best.subject_key = bound.subject_key
            and best.fact_path = bound.fact_path
        -- A claim of another value supports nothing; one that names no unit contradicts none.
        where
            bound.claim_id = best.claim_id
            or (
                coalesce(
                    bound.value_num = best.value_num,
                    bound.value_text is not distinct from best.value_text
                )
                and coalesce(bound.unit = best.unit, true)
            )
        group by bound.claim_type, bound.subject_key, bound.fact_path
    ),

    overlays as (
        select about.*
        from {{ ref("int_curation_overlays") }} as about
        where
            about.is_active
            and about.subject_kind = 'assertion'
            and (
                select count(*)
                from best
                where best.subject_key = about.subject_key and best.fact_path = about.fact_path
            )
            = 1
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
            case
                when overlays.overlay_kind = 'override' then overlays.new_value else said.value
            end as value,
            said.value as source_value,
            best.source_authority_tier,
            case
                when overlays.overlay_kind = 'marker'
                then overlays.new_value #>> '{}'
                when best.source_authority_tier = 'model_inferred'
                then 'model_inferred'
                when best.source_authority_tier = 'secondary_news'
                then 'secondary_source'
                when
                    best.source_authority_tier = 'company_announcement'
                    and best.claim_type
                    in ('announcement_event', 'regulatory_event', 'development_milestone')
                then 'announced_not_confirmed'
                when
                    best.source_authority_tier = 'company_announcement'
                    and best.claim_type = 'publication_outcome_value'
                then 'secondary_source'
                else 'none'
            end as lower_authority_marker,
            supported.supporting_claim_ids,
            overlays.overlay_key as curation_overlay_key,
            best.source_version_id as document_version_id,
            best.high_impact,
            case
                when overlays.overlay_kind = 'suppression' then 'withheld' else 'published'
            end as publication_state,
            null::date as valid_from,
            null::date as valid_to,
            supported.observed_at
        from best
        inner join
            supported
            on supported.claim_type = best.claim_type
            and supported.subject_key = best.subject_key
            and supported.fact_path = best.fact_path
        cross join
            lateral(
                select
                    jsonb_strip_nulls(
                        jsonb_build_object(
                            'number', best.value_num, 'text', best.value_text, 'unit', best.unit
                        )
                    ) as value
            ) as said
        left join
            overlays
            on overlays.subject_key = best.subject_key
            and overlays.fact_path = best.fact_path
    )

select *
from final
