-- T09: the interventions of a trial; a drug is linked where its exact name is known.
with
    interventions as (select * from {{ ref("stg_ctgov__interventions") }}),

    links as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_intervention_drug' and publishable
    ),

    drugs as (select * from {{ ref("stg_spines__drugs") }}),

    final as (
        select
            interventions.trial_intervention_key,
            interventions.trial_key,
            interventions.intervention_type,
            interventions.source_name,
            interventions.other_names,
            interventions.description,
            links.target_key as resolved_drug_key,
            drugs.ncit_code as resolved_ncit_code,
            case
                when interventions.is_not_a_drug
                then 'not_a_drug'
                else {{ tidegate.link_word("links") }}
            end as link_state,
            {{ tidegate.publication_tail("interventions.trial_intervention_key") }}
        from interventions
        left join links on links.subject_key = interventions.trial_intervention_key
        left join drugs on drugs.drug_key = links.target_key
    )

select *
from final
