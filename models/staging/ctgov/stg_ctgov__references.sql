-- The literature that each record cites; of two with one key, the first.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        select
            studies.trial_key,
            studies.nct_id,
            {{ tidegate.json_text("cited.document", "type") }} as source_reference_type,
            {{ tidegate.json_text("cited.document", "pmid") }} as pmid,
            {{ tidegate.json_text("cited.document", "citation") }} as citation,
            coalesce(
                jsonb_typeof(cited.document -> 'retractions') = 'array', false
            ) as has_retractions,
            cited.document,
            cited.position,
            '/protocolSection/referencesModule/references/' || (cited.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.reference_list", "references") }}
        with ordinality as cited(document, position)
    ),

    keyed as (
        select
            extracted.*,
            'reference:'
            || extracted.nct_id
            || coalesce(
                ':pmid:' || extracted.pmid, ':md5:' || md5(extracted.citation)
            ) as trial_reference_key
        from extracted
    ),

    final as (
        select distinct
            on (keyed.trial_reference_key)
            keyed.trial_reference_key,
            keyed.trial_key,
            keyed.source_reference_type,
            {{ tidegate.mapped("keyed.source_reference_type", "q_trial_references", "reference_type") }}
            as reference_type,
            keyed.pmid,
            keyed.citation,
            case
                when keyed.has_retractions
                then jsonb_array_length(keyed.document -> 'retractions') > 0
                else false
            end as is_retracted,
            keyed.pointer
        from keyed
        where keyed.trial_reference_key is not null
        order by keyed.trial_reference_key, keyed.position
    )

select *
from final
