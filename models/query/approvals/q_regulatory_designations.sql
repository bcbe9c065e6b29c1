-- Designations of submissions; the drug is that of the application's products, if it is one.
with
    designations as (select * from {{ ref("stg_drugsatfda__designations") }}),

    products as (select * from {{ ref("q_approval_products") }}),

    drugs as (
        select products.application_key, min(products.resolved_drug_key) as resolved_drug_key
        from products
        group by products.application_key
        having
            count(distinct products.resolved_drug_key) = 1
            and bool_and(products.resolved_drug_key is not null)
    ),

    final as (
        select
            designations.designation_key,
            designations.application_key,
            'FDA'::text as regulator,
            designations.designation,
            drugs.resolved_drug_key,
            null::text as segment_key,
            null::date as granted_date,
            null::date as withdrawn_date,
            {{ tidegate.publication_tail("designations.designation_key") }}
        from designations
        left join drugs on drugs.application_key = designations.application_key
    )

select *
from final
