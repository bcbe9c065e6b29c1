-- T15: how participants moved through a trial.
with
    flow as (select * from {{ ref("stg_ctgov__participant_flow") }}),

    final as (
        select
            flow.trial_flow_key,
            flow.trial_key,
            flow.result_group_key,
            flow.period_title,
            flow.event_kind,
            flow.event_type,
            flow.participants,
            flow.units_count,
            flow.comment,
            {{ tidegate.publication_tail("flow.trial_flow_key") }}
        from flow
    )

select *
from final
