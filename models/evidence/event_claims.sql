-- Every statement about an event, of regulators, journals and newsrooms.
with
    final as (
        {%- for slice in ["approvals", "publications", "news"] %}
            select {{ tidegate.event_columns("events") }}
            from {{ ref("event_claims__" ~ slice) }} as events
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    )

select *
from final
