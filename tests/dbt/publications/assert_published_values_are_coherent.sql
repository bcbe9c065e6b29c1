-- A value that was not reported is null and nothing else is; bounds are in order and hold their
-- estimate; counts do not exceed their denominator; shares lie between 0 and 100.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "publications"}}) }}
with
    outcomes as (select * from {{ ref("q_publication_outcomes") }}),

    comparisons as (select * from {{ ref("q_publication_comparisons") }}),

    safety as (select * from {{ ref("q_publication_safety") }}),

    violations as (
        select
            'q_publication_outcomes|' || outcomes.publication_outcome_key as row_key,
            'value_contradicts_state' as reason
        from outcomes
        where
            (outcomes.value_state in ('reported', 'derived'))
            is distinct from (outcomes.value_num is not null)
        union all
        select
            'q_publication_outcomes|' || outcomes.publication_outcome_key,
            'estimate_outside_interval'
        from outcomes
        where outcomes.value_num < outcomes.ci_lower or outcomes.value_num > outcomes.ci_upper
        union all
        select
            'q_publication_comparisons|' || comparisons.publication_comparison_key,
            'estimate_outside_interval'
        from comparisons
        where
            comparisons.value_num < comparisons.ci_lower
            or comparisons.value_num > comparisons.ci_upper
        union all
        select
            'q_publication_outcomes|' || outcomes.publication_outcome_key,
            'count_exceeds_denominator'
        from outcomes
        where outcomes.numerator > outcomes.denominator
        union all
        select 'q_publication_safety|' || safety.publication_safety_key, 'count_exceeds_denominator'
        from safety
        where safety.affected > safety.safety_n
        union all
        select 'q_publication_outcomes|' || outcomes.publication_outcome_key, 'share_out_of_range'
        from outcomes
        where outcomes.unit = 'percent' and outcomes.value_num not between 0 and 100
        union all
        select 'q_publication_safety|' || safety.publication_safety_key, 'share_out_of_range'
        from safety
        where safety.value_percent not between 0 and 100
    )

select violations.row_key, 'block' as level, violations.reason, '{}'::jsonb as metadata
from violations
