-- Products of applications; a drug is linked where exactly this name is known.
with
    products as (select * from {{ ref("stg_drugsatfda__products") }}),

    links as (
        select *
        from {{ ref("links__approvals") }}
        where subject_kind = 'approval_drug' and publishable
    ),

    final as (
        select
            products.approval_product_key,
            products.application_key,
            products.product_no,
            products.brand_name,
            products.active_ingredient_text,
            links.target_key as resolved_drug_key,
            products.dosage_form,
            products.route,
            products.strength,
            products.marketing_status,
            products.te_code,
            {{ tidegate.publication_tail("products.approval_product_key") }}
        from products
        left join links on links.subject_key = products.approval_product_key
    )

select *
from final
