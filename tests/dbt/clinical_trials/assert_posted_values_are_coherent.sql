-- A value that is not available is null and nothing else is; bounds are in order; a denominator
-- counts somebody.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "clinical_trials"}}) }}
with
    outcomes as (select * from {{ ref("q_trial_outcomes") }}),

    violations as (
        select outcomes.trial_outcome_key, 'value_contradicts_state' as reason
        from outcomes
        where (outcomes.value_state = 'not_available') is distinct from (outcomes.value_num is null)
        union all
        select outcomes.trial_outcome_key, 'bounds_reversed'
        from outcomes
        where outcomes.dispersion_lower > outcomes.dispersion_upper
        union all
        select outcomes.trial_outcome_key, 'denominator_not_positive'
        from outcomes
        where outcomes.denominator_count <= 0
        union all
        select outcomes.trial_outcome_key, 'denominator_contradicts_scope'
        from outcomes
        where outcomes.denominator_scope = 'not_posted' and outcomes.denominator_count is not null
    )

select
    violations.trial_outcome_key as row_key,
    'block' as level,
    violations.reason,
    '{}'::jsonb as metadata
from violations
