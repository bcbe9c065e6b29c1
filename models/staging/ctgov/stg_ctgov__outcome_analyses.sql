-- The statistical analyses of each outcome measure.
with
    measures as (select * from {{ ref("stg_ctgov__outcome_measures") }}),

    extracted as (
        select
            measures.trial_key,
            measures.nct_id,
            measures.outcome_ordinal,
            analysis.document,
            analysis.position::integer as analysis_ordinal,
            {{ tidegate.json_text_array("analysis.document", "groupIds") }} as group_codes,
            {{ tidegate.json_text("analysis.document", "paramValue") }} as param_text,
            {{ tidegate.json_text("analysis.document", "pValue") }} as p_text,
            {{ tidegate.json_text("analysis.document", "ciPctValue") }} as ci_percent_text,
            {{ tidegate.json_text("analysis.document", "ciLowerLimit") }} as ci_lower_text,
            {{ tidegate.json_text("analysis.document", "ciUpperLimit") }} as ci_upper_text,
            {{ tidegate.json_text("analysis.document", "ciNumSides") }} as source_ci_num_sides,
            measures.pointer || '/analyses/' || (analysis.position - 1) as pointer
        from measures
        cross join lateral {{ tidegate.json_elements("measures.document", "analyses") }}
        with ordinality as analysis(document, position)
    ),

    -- A p-value is posted as text such as "<0.0001"; a plain number is equal to itself.
    tested as (
        select
            extracted.*,
            btrim(ltrim(extracted.p_text, '<>=≤≥ ')) as p_number_text,
            translate(substring(extracted.p_text from '^ *(<=|>=|<|>|=|≤|≥)'), '≤≥', '<>')
            || case when extracted.p_text ~ '^ *[≤≥]' then '=' else '' end as p_sign
        from extracted
    ),

    final as (
        select
            'analysis:'
            || tested.nct_id
            || ':'
            || tested.outcome_ordinal
            || ':'
            || tested.analysis_ordinal as trial_outcome_analysis_key,
            tested.trial_key,
            tested.outcome_ordinal,
            tested.analysis_ordinal,
            array(
                select
                    {{ tidegate.result_group_key("tested.nct_id", "'Outcome'", "code.value", "tested.outcome_ordinal") }}
                from unnest(tested.group_codes)
                with ordinality as code(value, position)
                order by code.position
            ) as result_group_keys,
            {{ tidegate.json_text("tested.document", "statisticalMethod") }} as statistical_method,
            {{ tidegate.json_text("tested.document", "paramType") }} as param_type_text,
            {{ tidegate.to_number("tested.param_text") }} as param_value,
            case
                when {{ tidegate.to_number("tested.p_number_text") }} is not null
                then coalesce(tested.p_sign, '=')
            end as p_value_modifier,
            {{ tidegate.to_number("tested.p_number_text") }} as p_value,
            {{ tidegate.to_number("tested.ci_percent_text") }} as ci_percent,
            tested.source_ci_num_sides,
            {{ tidegate.mapped("tested.source_ci_num_sides", "q_trial_outcome_analyses", "ci_num_sides") }}
            as ci_num_sides,
            {{ tidegate.to_number("tested.ci_lower_text") }} as ci_lower,
            {{ tidegate.to_number("tested.ci_upper_text") }} as ci_upper,
            {{ tidegate.json_text("tested.document", "nonInferiorityType") }}
            as non_inferiority_type,
            {{ tidegate.json_text("tested.document", "groupDescription") }} as groups_description,
            tested.pointer
        from tested
    )

select *
from final
