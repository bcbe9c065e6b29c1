-- What a relationship of an organisation is between stands in the spines: two organisations, or an
-- organisation and a drug.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "spines"}}) }}
with
    relationships as (
        select *
        from {{ ref("temporal_relationships") }}
        where relationship_type <> 'soc_recommended'
    ),

    organisations as (select * from {{ ref("q_organisations") }}),

    drugs as (select * from {{ ref("q_drugs") }})

select
    {{ tidegate.row_key(["relationship_key", "valid_from"], "relationships") }} as row_key,
    'block' as level,
    'party_unknown' as reason,
    jsonb_build_object('relationship_type', relationships.relationship_type) as metadata
from relationships
where
    not exists (
        select 1 from organisations where organisations.organisation_key = relationships.subject_key
    )
    or not exists (
        select 1
        from organisations
        where organisations.organisation_key = relationships.object_key
        union all
        select 1
        from drugs
        where drugs.drug_key = relationships.object_key
    )
