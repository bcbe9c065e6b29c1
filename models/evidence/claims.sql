-- Every claim of every slice. One that a gate rejected stays, and no fact may stand on it.
with
    gathered as (
        {%- for slice in tidegate.claim_slices() %}
            select {{ tidegate.claim_columns("claims") }}
            from {{ ref("claims__" ~ slice) }} as claims
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    rejected as (
        select distinct quarantine.row_key
        from {{ ref("quarantine") }} as quarantine
        where quarantine.relation_name = 'evidence.claims'
    ),

    final as (
        select
            {{ tidegate.claim_columns("gathered", bound="gathered.canonical_bound and rejected.row_key is null") }}
        from gathered
        left join rejected on rejected.row_key = gathered.claim_id
    )

select *
from final
