-- Every value of a column with a closed enum is one of the contract's; array columns by element.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
{{
    tidegate.outside_closed_enums(
        [
            ref("q_trials"),
            ref("q_trial_identifiers"),
            ref("q_trial_status_history"),
            ref("q_trial_sponsors"),
            ref("q_trial_conditions"),
            ref("q_trial_eligibility"),
            ref("q_trial_arms"),
            ref("q_trial_interventions"),
            ref("q_trial_planned_outcomes"),
            ref("q_trial_result_groups"),
            ref("q_trial_outcomes"),
            ref("q_trial_outcome_analyses"),
            ref("q_trial_participant_flow"),
            ref("q_trial_adverse_events"),
            ref("q_trial_references"),
        ]
    )
}}
