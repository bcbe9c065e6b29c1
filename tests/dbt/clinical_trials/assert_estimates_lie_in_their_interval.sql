-- An estimate lies in its confidence interval. Posted records break this (one-sided bounds), so it
-- warns and somebody looks.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with analyses as (select * from {{ ref("q_trial_outcome_analyses") }})

select
    analyses.trial_outcome_analysis_key as row_key,
    'warn' as level,
    'estimate_outside_interval' as reason,
    '{}'::jsonb as metadata
from analyses
where analyses.param_value < analyses.ci_lower or analyses.param_value > analyses.ci_upper
