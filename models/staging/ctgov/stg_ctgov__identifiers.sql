-- The identifiers of each trial beside its registry number; of two with one value, the first.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    organisation_ids as (
        select
            studies.trial_key,
            studies.nct_id,
            'org_study_id' as id_source,
            studies.identification -> 'orgStudyIdInfo' as document,
            {{ tidegate.json_text("studies.identification", "orgStudyIdInfo/id") }} as id_value,
            1::bigint as position,
            '/protocolSection/identificationModule/orgStudyIdInfo' as pointer
        from studies
    ),

    secondary_ids as (
        select
            studies.trial_key,
            studies.nct_id,
            'secondary_id' as id_source,
            secondary.document,
            {{ tidegate.json_text("secondary.document", "id") }} as id_value,
            secondary.position,
            '/protocolSection/identificationModule/secondaryIdInfos/'
            || (secondary.position - 1) as pointer
        from studies
        cross join
            lateral {{ tidegate.json_elements("studies.identification", "secondaryIdInfos") }}
        with ordinality as secondary(document, position)
    ),

    aliases as (
        select
            studies.trial_key,
            studies.nct_id,
            'nct_alias' as id_source,
            '{}'::jsonb as document,
            nullif(btrim(alias.document #>> '{}'), '') as id_value,
            alias.position,
            '/protocolSection/identificationModule/nctIdAliases/' || (alias.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.identification", "nctIdAliases") }}
        with ordinality as alias(document, position)
    ),

    all_ids as (
        select *
        from organisation_ids
        union all
        select *
        from secondary_ids
        union all
        select *
        from aliases
    ),

    typed as (
        select
            all_ids.*,
            {{ tidegate.json_text("all_ids.document", "type") }} as source_id_type,
            {{ tidegate.json_text("all_ids.document", "domain") }} as id_domain,
            {{ tidegate.json_text("all_ids.document", "link") }} as id_link
        from all_ids
        where all_ids.id_value is not null
    ),

    final as (
        select distinct
            on (typed.trial_key, typed.id_source, typed.id_value)
            'identifier:'
            || typed.nct_id
            || ':'
            || typed.id_source
            || ':'
            || typed.id_value as trial_identifier_key,
            typed.trial_key,
            typed.id_source,
            typed.source_id_type,
            {{ tidegate.mapped("typed.source_id_type", "q_trial_identifiers", "id_type") }}
            as id_type,
            typed.id_value,
            typed.id_domain,
            typed.id_link,
            typed.pointer
        from typed
        order by typed.trial_key, typed.id_source, typed.id_value, typed.position
    )

select *
from final
