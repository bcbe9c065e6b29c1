-- The drugs that other models refer to.
with
    drugs as (select * from {{ ref("stg_spines__drugs") }}),

    final as (
        select
            drugs.drug_key,
            drugs.preferred_name,
            drugs.drug_kind,
            drugs.unii::character(10) as unii,
            drugs.rxcui,
            drugs.ncit_code,
            drugs.atc_codes,
            {{ tidegate.publication_tail("drugs.drug_key") }}
        from drugs
    )

select *
from final
