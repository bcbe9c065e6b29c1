-- Interventions as written; only a drug or a biologic is ever linked to a drug.
with
    interventions as (select * from {{ ref("stg_pubmed__interventions") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    drugs as (select * from {{ ref("stg_spines__drugs") }}),

    final as (
        select
            interventions.publication_intervention_key,
            interventions.publication_key,
            interventions.source_term,
            interventions.identity_type,
            drugs.drug_key as resolved_drug_key,
            drugs.ncit_code as resolved_ncit_code,
            case
                when drugs.drug_key is null then 'unresolved' else 'exact_normalized_label'
            end as resolution_basis,
            {{ tidegate.publication_tail("interventions.publication_intervention_key") }}
        from interventions
        left join
            names
            on names.spine = 'drug'
            and names.normalized_name = {{ tidegate.normalized_name("interventions.source_term") }}
            and interventions.identity_type in ('drug', 'biologic')
        left join drugs on drugs.drug_key = names.owner_key
    )

select *
from final
