-- The outcomes that each protocol plans to measure.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    extracted as (
        {%- for outcome_type, list in [
            ("primary", "primaryOutcomes"), ("secondary", "secondaryOutcomes"), ("other", "otherOutcomes")
        ] %}
            select
                studies.trial_key,
                studies.nct_id,
                {{ tidegate.literal(outcome_type) }} as outcome_type,
                outcome.document,
                outcome.position,
                {{ tidegate.literal("/protocolSection/outcomesModule/" ~ list ~ "/") }}
                || (outcome.position - 1) as pointer
            from studies
            cross join lateral {{ tidegate.json_elements("studies.outcomes", list) }}
            with ordinality as outcome(document, position)
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select
            'planned_outcome:'
            || extracted.nct_id
            || ':'
            || extracted.outcome_type
            || ':'
            || extracted.position as trial_planned_outcome_key,
            extracted.trial_key,
            extracted.outcome_type,
            extracted.position::integer as ordinal,
            {{ tidegate.json_text("extracted.document", "measure") }} as measure,
            {{ tidegate.json_text("extracted.document", "timeFrame") }} as time_frame,
            {{ tidegate.json_text("extracted.document", "description") }} as description,
            extracted.pointer
        from extracted
    )

select *
from final
