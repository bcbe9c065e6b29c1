-- Products of applications; a drug is linked where exactly this name is known.
with
    products as (select * from {{ ref("stg_drugsatfda__products") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            products.approval_product_key,
            products.application_key,
            products.product_no,
            products.brand_name,
            products.active_ingredient_text,
            names.owner_key as resolved_drug_key,
            products.dosage_form,
            products.route,
            products.strength,
            products.marketing_status,
            {{ tidegate.publication_tail("products.approval_product_key") }}
        from products
        left join
            names
            on names.spine = 'drug'
            and names.normalized_name
            = {{ tidegate.normalized_name("products.active_ingredient_text") }}
    )

select *
from final
