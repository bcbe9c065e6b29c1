-- What was so of each context when, one axis at a time.
with
    history as (select * from {{ ref("development_program_state_history") }}),

    final as (
        select
            history.context_key || '|' || history.axis as relationship_key,
            history.context_key,
            history.axis,
            history.axis_value,
            history.valid_from,
            history.valid_to,
            history.observed_at,
            {{ tidegate.publication_tail(tidegate.row_key(["context_key", "axis", "valid_from"], "history")) }}
        from history
    )

select *
from final
