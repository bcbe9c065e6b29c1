-- Products of marketing applications, with their marketing status by name and their codes of
-- therapeutic equivalence.
with
    landed as (select * from {{ source("drugsatfda", "drugsatfda_products") }} as landed),

    statuses as (
        select status.appl_no, status.product_no, lookup.marketing_status_description
        from {{ source("drugsatfda", "drugsatfda_marketing_status") }} as status
        inner join
            {{ source("drugsatfda", "drugsatfda_marketing_status_lookup") }} as lookup
            on lookup.marketing_status_id = status.marketing_status_id
    ),

    equivalences as (
        select
            listed.appl_no,
            listed.product_no,
            string_agg(distinct listed.te_code, ',' order by listed.te_code) as te_code
        from {{ source("drugsatfda", "drugsatfda_te_codes") }} as listed
        group by listed.appl_no, listed.product_no
    ),

    final as (
        select
            'approval_product:FDA:'
            || landed.appl_no
            || ':'
            || landed.product_no as approval_product_key,
            'application:FDA:' || landed.appl_no as application_key,
            landed.product_no,
            landed.drug_name as brand_name,
            landed.active_ingredient as active_ingredient_text,
            nullif(btrim(split_part(landed.form, ';', 1)), '') as dosage_form,
            nullif(btrim(split_part(landed.form, ';', 2)), '') as route,
            landed.strength,
            statuses.marketing_status_description as source_marketing_status,
            case
                statuses.marketing_status_description
                when 'Prescription'
                then 'prescription'
                when 'Over-the-counter'
                then 'over_the_counter'
                when 'Discontinued'
                then 'discontinued'
                when 'None (Tentative Approval)'
                then 'tentative_approval'
                -- Nobody listed it, which is not the same as a word that nobody mapped.
                else case when statuses.appl_no is null then 'unknown' end
            end as marketing_status,
            equivalences.te_code,
            {{ tidegate.receipt_columns("landed") }}
        from landed
        left join
            statuses
            on statuses.appl_no = landed.appl_no
            and statuses.product_no = landed.product_no
        left join
            equivalences
            on equivalences.appl_no = landed.appl_no
            and equivalences.product_no = landed.product_no
    )

select *
from final
