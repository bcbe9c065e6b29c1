-- One complete receipt for every row of the family, and one for each value of the evidence. What
-- was folded has one of each milestone that it rests on, what was counted one of each context.
{%- set states = ref("development_program_states") %}
{%- set milestones = ref("development_program_milestones") %}
{%- set evidence = ref("int_development_evidence") %}
with
    rows_read as (
        {{
            tidegate.receipt_rows(
                [
                    {
                        "model": "q_development_programs",
                        "staged": states,
                        "key": ["context_key"],
                        "authority": "reference_list",
                    },
                    {
                        "model": "q_development_milestones",
                        "staged": milestones,
                        "key": ["milestone_key"],
                        "pointer": "staged.pointer",
                        "version": "staged.source_version_id",
                        "tier": "staged.source_authority_tier",
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "staged": evidence,
                        "key": ["emerging_evidence_key"],
                        "quote": "staged.source_quote",
                        "pointer": "staged.pointer",
                        "version": "staged.source_version_id",
                        "tier": "staged.source_authority_tier",
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "staged": evidence,
                        "key": ["emerging_evidence_key"],
                        "quote": "staged.source_quote",
                        "fact": "value_num",
                        "pointer": "staged.pointer || '/value'",
                        "version": "staged.source_version_id",
                        "tier": "staged.source_authority_tier",
                        "where": "staged.value_num is not null",
                    },
                ]
            )
        }}
    ),

    inputs as (
        select
            'q_development_state_history' as model_name,
            {{ tidegate.row_key(["context_key", "axis", "valid_from"], "history") }} as row_key,
            'q_development_milestones' as input_model,
            input.key as input_key,
            input.position
        from {{ ref("development_program_state_history") }} as history
        cross join lateral unnest(history.derived_from_milestone_keys)
        with ordinality as input(key, position)
        union all
        select
            'q_development_landscape',
            landscape.landscape_key,
            'q_development_programs',
            states.context_key,
            row_number() over (partition by landscape.landscape_key order by states.context_key)
        from {{ ref("q_development_landscape") }} as landscape
        inner join
            {{ states }} as states
            on landscape.slice_dimensions <@ jsonb_build_object(
                'segment',
                coalesce(states.segment_key, states.segment_state),
                'current_phase',
                states.current_phase,
                'regulatory_state',
                states.regulatory_state
            )
    ),

    derived as (
        select
            {{ tidegate.receipt_of_made(
                "inputs",
                "rows_read",
                "'$row|' || inputs.input_key",
                {"role": "case when inputs.position = 1 then 'primary' else 'derivation_input' end"},
            ) }}
        from inputs
        inner join
            rows_read
            on rows_read.model_name = inputs.input_model
            and rows_read.row_key = inputs.input_key
            and rows_read.fact_path = '$row'
    )

select *
from rows_read
union all
select *
from derived
