-- Values that each publication reports. What a record does not say about criteria, confirmation and
-- assessor is "not_stated"; a value that is not there is null.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "outcomes") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "arm") }} as arm_label,
            {{ tidegate.json_text("parts.part", "population") }} as population_label,
            {{ tidegate.json_text("parts.part", "endpointPhrase") }} as raw_endpoint_phrase,
            {{ tidegate.json_text("parts.part", "statistic") }} as source_statistic,
            {{ tidegate.json_text("parts.part", "value") }} as value_text,
            {{ tidegate.json_text("parts.part", "unit") }} as unit,
            {{ tidegate.json_text("parts.part", "timepointValue") }} as timepoint_text,
            {{ tidegate.json_text("parts.part", "timepointUnit") }} as source_timepoint_unit
        from parts
    ),

    valued as (
        select
            extracted.*,
            {{ tidegate.to_number("extracted.value_text") }} as value_num,
            coalesce(
                {{ tidegate.json_text("extracted.part", "state") }},
                case
                    when {{ tidegate.to_number("extracted.value_text") }} is null
                    then 'not_reported'
                    else 'reported'
                end
            ) as source_value_state
        from extracted
    ),

    final as (
        select
            'pub_outcome:' || concat_ws(
                ':',
                valued.record_id,
                coalesce(valued.arm_label, ''),
                valued.population_label,
                valued.raw_endpoint_phrase,
                valued.source_statistic,
                valued.timepoint_text || ' ' || valued.source_timepoint_unit
            ) as publication_outcome_key,
            'pub_arm:' || valued.record_id || ':' || valued.arm_label as publication_arm_key,
            'pub_population:'
            || valued.record_id
            || ':'
            || valued.population_label as publication_population_key,
            valued.*,
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("valued.part", "criteria") ~ ", 'not_stated')", "q_publication_outcomes", "response_criteria") }},
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("valued.part", "confirmation") ~ ", 'not_stated')", "q_publication_outcomes", "confirmation_state") }},
            {{ tidegate.source_and_mapped("coalesce(" ~ tidegate.json_text("valued.part", "assessor") ~ ", 'not_stated')", "q_publication_outcomes", "assessor") }},
            {{ tidegate.mapped("valued.source_statistic", "q_publication_outcomes", "statistic") }}
            as statistic,
            {{ tidegate.mapped("valued.source_value_state", "q_publication_outcomes", "value_state") }}
            as value_state,
            {{ tidegate.to_integer(tidegate.json_text("valued.part", "numerator")) }} as numerator,
            {{ tidegate.to_integer(tidegate.json_text("valued.part", "denominator")) }}
            as denominator,
            {{ tidegate.to_number(tidegate.json_text("valued.part", "ciLevel")) }} as ci_level,
            {{ tidegate.to_number(tidegate.json_text("valued.part", "ciLower")) }} as ci_lower,
            {{ tidegate.to_number(tidegate.json_text("valued.part", "ciUpper")) }} as ci_upper,
            {{ tidegate.to_number("valued.timepoint_text") }} as timepoint_value,
            {{ tidegate.mapped("valued.source_timepoint_unit", "q_publication_outcomes", "timepoint_unit") }}
            as timepoint_unit
        from valued
    )

select *
from final
