-- The drugs that each context's regimen signature is made of, by the names that programs give them.
with
    programs as (select * from {{ ref("stg_development__programs") }}),

    contexts as (select * from {{ ref("development_program_contexts") }}),

    final as (
        select distinct contexts.context_key, regimen.drug_name
        from contexts
        inner join programs on programs.program_key = contexts.program_key
        cross join lateral unnest(programs.regimen_names) as regimen(drug_name)
    )

select *
from final
