-- Values that press releases and abstracts of meetings announce, as the newest capture has them.
-- What a newspaper writes of a value is hearsay.
with
    parts as ({{ tidegate.document_parts(ref("stg_news__documents"), "results") }}),

    extracted as (
        select
            parts.*,
            {{ tidegate.json_text("parts.part", "trial") }} as registry_number,
            {{ tidegate.json_text("parts.part", "endpointPhrase") }} as raw_endpoint_phrase,
            {{ tidegate.json_text("parts.part", "arm") }} as source_arm_label,
            {{ tidegate.json_text("parts.part", "population") }} as population_label,
            {{ tidegate.json_text("parts.part", "statistic") }} as source_statistic,
            {{ tidegate.json_text("parts.part", "timepoint") }} as timepoint,
            {{ tidegate.json_text("parts.part", "value") }} as value_text,
            {{ tidegate.to_number(tidegate.json_text("parts.part", "value")) }} as value_num,
            {{ tidegate.json_text("parts.part", "state") }} as stated_value_state,
            {{ tidegate.json_text("parts.part", "unit") }} as unit,
            {{ tidegate.json_text("parts.part", "quote") }} as source_quote
        from parts
        where parts.source_family in ('press_release', 'conference')
    ),

    valued as (
        select
            extracted.*,
            coalesce(
                extracted.stated_value_state,
                case when extracted.value_num is null then 'not_reported' else 'reported' end
            ) as source_value_state
        from extracted
    ),

    final as (
        select
            concat_ws(
                ':',
                'announced_result',
                valued.document_id,
                valued.registry_number,
                valued.source_arm_label,
                valued.population_label,
                valued.raw_endpoint_phrase,
                valued.source_statistic,
                valued.timepoint
            ) as announced_result_key,
            {{ tidegate.mapped("valued.source_statistic", "q_announced_results", "statistic") }}
            as statistic,
            {{ tidegate.mapped("valued.source_value_state", "q_announced_results", "value_state") }}
            as value_state,
            'text_quote'::text as locator_shape,
            jsonb_strip_nulls(jsonb_build_object('exact', valued.source_quote)) as locator,
            valued.*
        from valued
    )

select *
from final
