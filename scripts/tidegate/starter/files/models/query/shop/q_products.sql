-- One product that the shop sells; its contract stands in contracts/shop/q_products.yml.
select
    staged.sku,
    staged.title,
    staged.price,
    case when staged.stock > 0 then 'in_stock' else 'sold_out' end as availability
from {{ ref("stg_shop__products") }} as staged
