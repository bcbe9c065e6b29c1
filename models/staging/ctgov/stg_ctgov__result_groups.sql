-- The groups of participants in every section of the results. The registry does not say which arm
-- a group is: what links them is decided in `int_result_group_arms`.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    measures as (select * from {{ ref("stg_ctgov__outcome_measures") }}),

    groups as (
        {%- for result_type, module, path in [
            ("Participant Flow", "participant_flow", "/resultsSection/participantFlowModule/groups/"),
            ("Baseline", "baseline", "/resultsSection/baselineCharacteristicsModule/groups/"),
            ("Reported Event", "adverse_events", "/resultsSection/adverseEventsModule/eventGroups/"),
        ] %}
            select
                studies.trial_key,
                studies.nct_id,
                {{ tidegate.literal(result_type) }} as result_type,
                null::integer as outcome_ordinal,
                result_group.document,
                result_group.position,
                {{ tidegate.literal(path) }} || (result_group.position - 1) as pointer
            from studies
            cross join lateral {{ tidegate.json_elements("studies." ~ module, path.split("/")[3]) }}
            with ordinality as result_group(document, position)
            union all
        {%- endfor %}
        select
            measures.trial_key,
            measures.nct_id,
            'Outcome' as result_type,
            measures.outcome_ordinal,
            result_group.document,
            result_group.position,
            measures.pointer || '/groups/' || (result_group.position - 1) as pointer
        from measures
        cross join lateral {{ tidegate.json_elements("measures.document", "groups") }}
        with ordinality as result_group(document, position)
    ),

    typed as (
        select
            groups.*,
            {{ tidegate.json_text("groups.document", "id") }} as ctgov_group_code,
            {{ tidegate.json_text("groups.document", "title") }} as title,
            {{ tidegate.json_text("groups.document", "description") }} as description
        from groups
    ),

    final as (
        select distinct
            on (result_group_key)
            {{ tidegate.result_group_key("typed.nct_id", "typed.result_type", "typed.ctgov_group_code", "typed.outcome_ordinal") }}
            as result_group_key,
            typed.trial_key,
            typed.result_type,
            typed.outcome_ordinal,
            typed.ctgov_group_code,
            typed.title,
            typed.description,
            typed.position::integer as group_position,
            typed.pointer
        from typed
        where typed.ctgov_group_code is not null
        order by result_group_key, typed.position
    )

select *
from final
