-- T03: the overall status of a trial over time, as seen across snapshots.
with
    history as (select * from {{ ref("stg_ctgov__status_history") }}),

    final as (
        select
            history.trial_key,
            history.overall_status,
            history.valid_from,
            history.valid_to,
            history.observed_at,
            history.first_snapshot_id,
            history.last_snapshot_id,
            {{ tidegate.publication_tail("history.trial_key || '|' || history.valid_from") }}
        from history
    )

select *
from final
