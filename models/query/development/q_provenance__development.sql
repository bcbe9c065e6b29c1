-- One complete receipt for every row of the family, and one for each value of the evidence. What
-- was folded has one of each milestone that it rests on, what was counted one of each context,
-- overlays behind them included, and the links of the columns that they have in common.
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
                        "claim": "staged.claim_id",
                        "pointer": "staged.pointer",
                        "version": "staged.source_version_id",
                        "tier": "staged.source_authority_tier",
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "staged": evidence,
                        "key": ["emerging_evidence_key"],
                        "claim": "staged.claim_id",
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
                        "claim": "staged.claim_id",
                        "pointer": "staged.pointer || '/value'",
                        "version": "staged.source_version_id",
                        "tier": "staged.source_authority_tier",
                        "where": "staged.value_num is not null",
                    },
                ],
                claims=ref("int_development_claims"),
            )
        }}
    ),

    receipts as (
        select *
        from rows_read
        union all
        {{
            tidegate.linked_receipts(
                "rows_read",
                [
                    {
                        "model": "q_development_programs",
                        "fact": "resolved_drug_key",
                        "rows": states,
                        "key": ["context_key"],
                        "kind": "development_drug",
                        "subject": tidegate.alias_key("development_drug", "development", "linked.drug_name"),
                    },
                    {
                        "model": "q_development_programs",
                        "fact": "regimen_signature",
                        "rows": ref("int_development_regimens"),
                        "key": ["context_key"],
                        "kind": "development_drug",
                        "subject": tidegate.alias_key("development_drug", "development", "linked.drug_name"),
                        "several": true,
                    },
                    {
                        "model": "q_development_programs",
                        "fact": "segment_key",
                        "rows": states,
                        "key": ["context_key"],
                        "kind": "development_segment",
                        "subject": tidegate.alias_key(
                            "development_segment", "development", "linked.segment_name"
                        ),
                    },
                    {
                        "model": "q_development_milestones",
                        "fact": "axis_value",
                        "rows": milestones,
                        "key": ["milestone_key"],
                        "kind": "org_alias",
                        "subject": tidegate.alias_key("org_alias", "development", "linked.organisation_name"),
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "fact": "canonical_endpoint_key",
                        "rows": evidence,
                        "key": ["emerging_evidence_key"],
                        "kind": "trial_endpoint",
                        "subject": "linked.endpoint_subject_key",
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "fact": "canonical_endpoint_key",
                        "rows": evidence,
                        "key": ["emerging_evidence_key"],
                        "kind": "publication_endpoint",
                        "subject": "linked.endpoint_subject_key",
                    },
                    {
                        "model": "q_development_emerging_evidence",
                        "fact": "arm_key",
                        "rows": evidence,
                        "key": ["emerging_evidence_key"],
                        "kind": "trial_arm_link",
                        "subject": "linked.arm_subject_key",
                    },
                ],
                links=ref("int_development_links"),
            )
        }}
    ),

    inputs as (
        select
            'q_development_state_history' as model_name,
            {{ tidegate.row_key(["context_key", "axis", "valid_from"], "history") }} as row_key,
            'q_development_milestones' as input_model,
            input.key as input_key,
            input.position,
            array['axis_value'] as kept_columns
        from {{ ref("development_program_state_history") }} as history
        cross join lateral unnest(history.derived_from_milestone_keys)
        with ordinality as input(key, position)
        union all
        select
            'q_development_landscape',
            landscape.landscape_key,
            'q_development_programs',
            states.context_key,
            row_number() over (partition by landscape.landscape_key order by states.context_key),
            case when landscape.segment_key is not null then array['segment_key'] end
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
                "receipts",
                "'$row|' || inputs.input_key || " ~ tidegate.along_key("receipts"),
                {
                    "fact_path": tidegate.fact_along("inputs", "receipts"),
                    "role": "case when inputs.position = 1 then 'primary' else 'derivation_input' end",
                },
            ) }}
        from inputs
        inner join
            receipts
            on receipts.model_name = inputs.input_model
            and receipts.row_key = inputs.input_key
            and {{ tidegate.goes_along("inputs", "receipts") }}
    )

select *
from receipts
union all
select *
from derived
