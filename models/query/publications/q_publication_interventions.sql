-- Interventions as written; only a drug or a biologic is ever linked to a drug.
with
    interventions as (select * from {{ ref("stg_pubmed__interventions") }}),

    links as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_intervention' and publishable
    ),

    drugs as (select * from {{ ref("stg_spines__drugs") }}),

    final as (
        select
            interventions.publication_intervention_key,
            interventions.publication_key,
            interventions.source_term,
            interventions.identity_type,
            links.target_key as resolved_drug_key,
            drugs.ncit_code as resolved_ncit_code,
            coalesce(links.basis, 'unresolved') as resolution_basis,
            {{ tidegate.publication_tail("interventions.publication_intervention_key") }}
        from interventions
        left join links on links.subject_key = interventions.publication_intervention_key
        left join drugs on drugs.drug_key = links.target_key
    )

select *
from final
