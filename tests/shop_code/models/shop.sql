select 1 as shop
