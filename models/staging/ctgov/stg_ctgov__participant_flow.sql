-- How many participants reached each milestone of each period, and why others withdrew.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    periods as (
        select
            studies.trial_key,
            studies.nct_id,
            period.document,
            period.position,
            {{ tidegate.json_text("period.document", "title") }} as period_title,
            '/resultsSection/participantFlowModule/periods/' || (period.position - 1) as pointer
        from studies
        cross join lateral {{ tidegate.json_elements("studies.participant_flow", "periods") }}
        with ordinality as period(document, position)
    ),

    counts as (
        {%- for event_kind, list, members in [
            ("milestone", "milestones", "achievements"), ("drop_withdrawal", "dropWithdraws", "reasons")
        ] %}
            select
                periods.trial_key,
                periods.nct_id,
                periods.period_title,
                periods.position as period_position,
                {{ tidegate.literal(event_kind) }} as event_kind,
                event.position as event_position,
                {{ tidegate.json_text("event.document", "type") }} as event_type,
                member.document,
                {{ tidegate.json_text("member.document", "groupId") }} as group_code,
                periods.pointer
                || {{ tidegate.literal("/" ~ list ~ "/") }}
                || (event.position - 1)
                || {{ tidegate.literal("/" ~ members ~ "/") }}
                || (member.position - 1) as pointer
            from periods
            cross join lateral {{ tidegate.json_elements("periods.document", list) }}
            with ordinality as event(document, position)
            cross join lateral {{ tidegate.json_elements("event.document", members) }}
            with ordinality as member(document, position)
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    typed as (
        select
            counts.*,
            {{ tidegate.json_text("counts.document", "numSubjects") }} as participants_text,
            {{ tidegate.json_text("counts.document", "numUnits") }} as units_text,
            {{ tidegate.json_text("counts.document", "comment") }} as comment
        from counts
        where counts.group_code is not null
    ),

    final as (
        select
            'flow:'
            || typed.nct_id
            || ':'
            || typed.period_position
            || ':'
            || typed.event_kind
            || ':'
            || typed.event_position
            || ':'
            || typed.group_code as trial_flow_key,
            typed.trial_key,
            {{ tidegate.result_group_key("typed.nct_id", "'Participant Flow'", "typed.group_code") }}
            as result_group_key,
            typed.period_title,
            typed.event_kind,
            typed.event_type,
            {{ tidegate.to_integer("typed.participants_text") }} as participants,
            {{ tidegate.to_integer("typed.units_text") }} as units_count,
            typed.comment,
            typed.pointer
        from typed
    )

select *
from final
