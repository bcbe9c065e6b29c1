-- Values of the source that lie outside a closed enum: the cell is null, the row stays, and the
-- value's reason stands here until somebody maps it or accepts it as unknown.
{%- set watched = [
    (
        "q_trials",
        ref("stg_ctgov__trials"),
        ["trial_key"],
        [
            "study_type", "overall_status", "last_known_status", "allocation", "intervention_model",
            "observational_model", "primary_purpose", "masking", "start_date_type",
            "primary_completion_date_type", "completion_date_type", "enrollment_type",
        ],
        ["phases", "who_masked"],
    ),
    ("q_trial_identifiers", ref("stg_ctgov__identifiers"), ["trial_identifier_key"], ["id_type"], []),
    (
        "q_trial_status_history",
        ref("stg_ctgov__status_history"),
        ["trial_key", "valid_from"],
        ["overall_status"],
        [],
    ),
    ("q_trial_sponsors", ref("stg_ctgov__sponsors"), ["trial_sponsor_key"], ["agency_class"], []),
    (
        "q_trial_eligibility",
        ref("stg_ctgov__eligibility"),
        ["trial_key"],
        ["sex", "sampling_method"],
        ["std_ages"],
    ),
    ("q_trial_arms", ref("stg_ctgov__arms"), ["arm_key"], ["arm_type"], []),
    (
        "q_trial_interventions",
        ref("stg_ctgov__interventions"),
        ["trial_intervention_key"],
        ["intervention_type"],
        [],
    ),
    (
        "q_trial_outcomes",
        ref("stg_ctgov__outcomes"),
        ["trial_outcome_key"],
        ["outcome_type", "param_type"],
        [],
    ),
    (
        "q_trial_outcome_analyses",
        ref("stg_ctgov__outcome_analyses"),
        ["trial_outcome_analysis_key"],
        ["ci_num_sides"],
        [],
    ),
    (
        "q_trial_adverse_events",
        ref("stg_ctgov__adverse_events"),
        ["trial_adverse_event_key"],
        ["assessment"],
        [],
    ),
    (
        "q_trial_references",
        ref("stg_ctgov__references"),
        ["trial_reference_key"],
        ["reference_type"],
        [],
    ),
] %}
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    unmapped as (
        {%- for model_name, staged, key, columns, arrays in watched %}
            {%- set outer_loop = loop %}
            {%- for column in columns %}
                select
                    {{ tidegate.literal(model_name) }} as relation_name,
                    {{ tidegate.row_key(key, "staged") }} as row_key,
                    {{ tidegate.literal(column) }} as column_name,
                    staged.{{ tidegate.identifier("source_" ~ column) }} as source_value,
                    staged.trial_key
                from {{ staged }} as staged
                where
                    staged.{{ tidegate.identifier("source_" ~ column) }} is not null
                    and staged.{{ tidegate.identifier(column) }} is null
                {% if not (loop.last and outer_loop.last) or arrays %}
                    union all
                {% endif %}
            {%- endfor %}
            {%- for column in arrays %}
                select
                    {{ tidegate.literal(model_name) }} as relation_name,
                    {{ tidegate.row_key(key, "staged") }} as row_key,
                    {{ tidegate.literal(column) }} as column_name,
                    element.item as source_value,
                    staged.trial_key
                from {{ staged }} as staged
                cross join
                    lateral unnest(staged.{{ tidegate.identifier("source_" ~ column) }}) as element(
                        item
                    )
                where element.item <> all(staged.{{ tidegate.identifier(column) }})
                {% if not (loop.last and outer_loop.last) %}
                    union all
                {% endif %}
            {%- endfor %}
        {%- endfor %}
    ),

    final as (
        select distinct
            unmapped.relation_name,
            unmapped.row_key,
            unmapped.column_name,
            unmapped.source_value,
            'not_in_closed_enum'::text as reason,
            studies.source_artifact_key,
            studies.received_at as quarantined_at
        from unmapped
        inner join studies on studies.trial_key = unmapped.trial_key
    )

select *
from final
