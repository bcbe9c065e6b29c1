-- Intervals of one overall status, from the difference between snapshots: half-open, the last one
-- without an end. Between two snapshots the registry is silent, so an interval starts on the day of
-- the first snapshot that shows the status.
with
    snapshots as (select * from {{ ref("stg_ctgov__snapshots") }}),

    observed as (
        select
            snapshots.trial_key,
            snapshots.snapshot_date,
            snapshots.snapshot_id,
            snapshots.source_artifact_key,
            snapshots.content_sha256,
            snapshots.immutable_uri,
            snapshots.record_number,
            snapshots.received_at,
            {{ tidegate.json_text("snapshots.payload", "protocolSection/statusModule/overallStatus") }}
            as source_overall_status
        from snapshots
    ),

    compared as (
        select
            observed.*,
            row_number() over in_time = 1
            or observed.source_overall_status
            is distinct from lag(observed.source_overall_status) over in_time as is_change
        from observed
        window in_time as (partition by observed.trial_key order by observed.snapshot_date)
    ),

    numbered as (
        select
            compared.*,
            count(*) filter (where compared.is_change) over (
                partition by compared.trial_key order by compared.snapshot_date
            ) as interval_number
        from compared
    ),

    last_of_interval as (
        select
            numbered.trial_key,
            numbered.interval_number,
            max(numbered.snapshot_id) as last_snapshot_id
        from numbered
        group by numbered.trial_key, numbered.interval_number
    ),

    final as (
        select
            numbered.trial_key,
            numbered.source_overall_status,
            {{ tidegate.mapped("numbered.source_overall_status", "q_trial_status_history", "overall_status") }}
            as overall_status,
            numbered.snapshot_date as valid_from,
            lead(numbered.snapshot_date) over (
                partition by numbered.trial_key order by numbered.snapshot_date
            ) as valid_to,
            numbered.received_at as observed_at,
            numbered.received_at,
            numbered.snapshot_id as first_snapshot_id,
            last_of_interval.last_snapshot_id,
            numbered.source_artifact_key,
            numbered.content_sha256,
            numbered.immutable_uri,
            numbered.record_number,
            '/protocolSection/statusModule/overallStatus' as pointer
        from numbered
        inner join
            last_of_interval
            on last_of_interval.trial_key = numbered.trial_key
            and last_of_interval.interval_number = numbered.interval_number
        where numbered.is_change
    )

select *
from final
