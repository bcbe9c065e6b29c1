-- The latest snapshot of each trial: what the models of the current state read.
with
    snapshots as (select * from {{ ref("stg_ctgov__snapshots") }}),

    ranked as (
        select
            snapshots.*,
            row_number() over (
                partition by snapshots.trial_key order by snapshots.snapshot_date desc
            ) as recency
        from snapshots
    ),

    final as (
        select
            ranked.trial_key,
            ranked.nct_id,
            ranked.snapshot_id,
            ranked.payload,
            ranked.source_artifact_key,
            ranked.content_sha256,
            ranked.immutable_uri,
            ranked.record_number,
            ranked.received_at
        from ranked
        where ranked.recency = 1
    )

select *
from final
