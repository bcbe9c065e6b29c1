-- How many cells of each column are null because the source's value is in no closed enum.
-- The values themselves stay in staging.
with
    unmapped as (
        {%- for slice in ["", "__approvals", "__publications", "__commercial", "__news", "__development"] %}
            select relation_name, column_name, quarantined_at
            from {{ ref("enum_quarantine" ~ slice) }}
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select
            unmapped.relation_name as model_name,
            unmapped.column_name,
            count(*) as cells,
            min(unmapped.quarantined_at) as first_seen_at
        from unmapped
        group by unmapped.relation_name, unmapped.column_name
    )

select
    final.model_name,
    final.column_name,
    final.cells,
    final.first_seen_at,
    {{ tidegate.publication_tail("final.model_name || '|' || final.column_name") }}
from final
