-- The drugs of the spines as landed; lists become arrays.
with
    landed as (select * from {{ source("spines", "drugs") }} as landed),

    final as (
        select
            landed.drug_key,
            landed.preferred_name,
            landed.drug_kind,
            landed.unii,
            landed.rxcui,
            landed.ncit_code,
            {{ tidegate.listed("landed.atc_codes") }} as atc_codes,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final
