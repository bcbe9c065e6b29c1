-- T16: adverse events by group, and their totals.
with
    events as (select * from {{ ref("stg_ctgov__adverse_events") }}),

    arm_links as (select * from {{ ref("int_result_group_arms") }}),

    final as (
        select
            events.trial_adverse_event_key,
            events.trial_key,
            events.result_group_key,
            events.row_kind,
            events.event_type,
            events.organ_system,
            events.adverse_event_term,
            events.source_vocabulary,
            events.assessment,
            events.subjects_affected,
            events.subjects_at_risk,
            events.event_count,
            events.frequency_threshold,
            events.time_frame,
            arm_links.arm_key,
            coalesce(arm_links.arm_link_state, 'unlinked') as arm_link_state,
            {{ tidegate.publication_tail("events.trial_adverse_event_key") }}
        from events
        left join arm_links on arm_links.result_group_key = events.result_group_key
    )

select *
from final
