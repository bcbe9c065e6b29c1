-- Names that mean exactly one entry of a spine; an ambiguous name resolves to nothing.
with
    names as (select * from {{ ref("stg_spines__names") }}),

    final as (
        select names.spine, names.normalized_name, min(names.owner_key) as owner_key
        from names
        group by names.spine, names.normalized_name
        having count(*) = 1
    )

select *
from final
