-- Adverse events of each group: one row a term, and the totals of deaths, serious and other events.
{%- set module = "/resultsSection/adverseEventsModule/" %}
with
    studies as (
        select
            latest.trial_key,
            latest.nct_id,
            latest.adverse_events,
            {{ tidegate.json_text("latest.adverse_events", "timeFrame") }} as time_frame,
            {{ tidegate.json_text("latest.adverse_events", "frequencyThreshold") }}
            as threshold_text
        from {{ ref("stg_ctgov__studies") }} as latest
    ),

    terms as (
        {%- for event_type, list in [("serious", "seriousEvents"), ("other", "otherEvents")] %}
            select
                studies.trial_key,
                studies.nct_id,
                studies.time_frame,
                studies.threshold_text,
                'event' as row_kind,
                {{ tidegate.literal(event_type) }} as event_type,
                {{ tidegate.json_text("event.document", "organSystem") }} as organ_system,
                {{ tidegate.json_text("event.document", "term") }} as adverse_event_term,
                {{ tidegate.json_text("event.document", "sourceVocabulary") }} as source_vocabulary,
                {{ tidegate.json_text("event.document", "assessmentType") }} as source_assessment,
                {{ tidegate.json_text("stat.document", "groupId") }} as group_code,
                {{ tidegate.json_text("stat.document", "numAffected") }} as affected_text,
                {{ tidegate.json_text("stat.document", "numAtRisk") }} as at_risk_text,
                {{ tidegate.json_text("stat.document", "numEvents") }} as events_text,
                event.position * 1000 + stat.position as position,
                {{ tidegate.literal(module ~ list ~ "/") }}
                || (event.position - 1)
                || '/stats/'
                || (stat.position - 1) as pointer
            from studies
            cross join lateral {{ tidegate.json_elements("studies.adverse_events", list) }}
            with ordinality as event(document, position)
            cross join lateral {{ tidegate.json_elements("event.document", "stats") }}
            with ordinality as stat(document, position)
            union all
        {%- endfor %}
        {%- for event_type in ["deaths", "serious", "other"] %}
            select
                studies.trial_key,
                studies.nct_id,
                studies.time_frame,
                studies.threshold_text,
                'total',
                {{ tidegate.literal(event_type) }},
                null,
                null,
                null,
                null,
                {{ tidegate.json_text("event_group.document", "id") }},
                {{ tidegate.json_text("event_group.document", event_type ~ "NumAffected") }},
                {{ tidegate.json_text("event_group.document", event_type ~ "NumAtRisk") }},
                null,
                event_group.position,
                {{ tidegate.literal(module ~ "eventGroups/") }} || (event_group.position - 1)
            from studies
            cross join lateral {{ tidegate.json_elements("studies.adverse_events", "eventGroups") }}
            with ordinality as event_group(document, position)
            where
                event_group.document ? {{ tidegate.literal(event_type ~ "NumAffected") }}
                or event_group.document ? {{ tidegate.literal(event_type ~ "NumAtRisk") }}
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    -- A term may stand twice in one organ system: the second is counted.
    named as (
        select
            terms.*,
            'adverse_event:'
            || terms.nct_id
            || ':'
            || terms.row_kind
            || ':'
            || terms.event_type
            || coalesce(':' || terms.organ_system, '')
            || coalesce(':' || terms.adverse_event_term, '')
            || ':'
            || terms.group_code as name
        from terms
        where terms.group_code is not null
    ),

    counted as (
        select
            named.*,
            row_number() over (partition by named.name order by named.position) as repetition
        from named
    ),

    final as (
        select
            counted.name || case
                when counted.repetition > 1 then ':' || counted.repetition else ''
            end as trial_adverse_event_key,
            counted.trial_key,
            {{ tidegate.result_group_key("counted.nct_id", "'Reported Event'", "counted.group_code") }}
            as result_group_key,
            counted.row_kind,
            counted.event_type,
            counted.organ_system,
            counted.adverse_event_term,
            counted.source_vocabulary,
            counted.source_assessment,
            {{ tidegate.mapped("counted.source_assessment", "q_trial_adverse_events", "assessment") }}
            as assessment,
            {{ tidegate.to_integer("counted.affected_text") }} as subjects_affected,
            {{ tidegate.to_integer("counted.at_risk_text") }} as subjects_at_risk,
            {{ tidegate.to_integer("counted.events_text") }} as event_count,
            {{ tidegate.to_number("counted.threshold_text") }} as frequency_threshold,
            counted.time_frame,
            counted.pointer
        from counted
    )

select *
from final
