-- T09: the interventions of a trial; a drug is linked where its exact name is known.
with
    interventions as (select * from {{ ref("stg_ctgov__interventions") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    drugs as (select * from {{ ref("stg_spines__drugs") }}),

    classified as (
        select
            interventions.*,
            coalesce(
                interventions.intervention_type
                in ('BEHAVIORAL', 'DEVICE', 'DIAGNOSTIC_TEST', 'PROCEDURE', 'RADIATION'),
                false
            )
            or {{ tidegate.normalized_name("interventions.source_name") }}
            ~ '^placebo( |$)' as is_not_a_drug
        from interventions
    ),

    final as (
        select
            classified.trial_intervention_key,
            classified.trial_key,
            classified.intervention_type,
            classified.source_name,
            classified.other_names,
            classified.description,
            names.owner_key as resolved_drug_key,
            drugs.ncit_code as resolved_ncit_code,
            case
                when classified.is_not_a_drug
                then 'not_a_drug'
                when names.owner_key is not null
                then 'exact'
                else 'unresolved'
            end as link_state,
            {{ tidegate.publication_tail("classified.trial_intervention_key") }}
        from classified
        left join
            names
            on names.spine = 'drug'
            and names.normalized_name = {{ tidegate.normalized_name("classified.source_name") }}
            and not classified.is_not_a_drug
        left join drugs on drugs.drug_key = names.owner_key
    )

select *
from final
