-- One row for each product of the latest delivery, trimmed.
select products.sku, btrim(products.title) as title, products.price, products.stock
from {{ source("shop", "products") }} as products
