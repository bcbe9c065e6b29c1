-- T14: the statistical analyses of outcome measures.
with
    analyses as (select * from {{ ref("stg_ctgov__outcome_analyses") }}),

    final as (
        select
            analyses.trial_outcome_analysis_key,
            analyses.trial_key,
            analyses.outcome_ordinal,
            analyses.analysis_ordinal,
            analyses.result_group_keys,
            analyses.statistical_method,
            analyses.param_type_text,
            analyses.param_value,
            analyses.p_value_modifier,
            analyses.p_value,
            analyses.ci_percent,
            analyses.ci_num_sides,
            analyses.ci_lower,
            analyses.ci_upper,
            analyses.non_inferiority_type,
            analyses.groups_description,
            {{ tidegate.publication_tail("analyses.trial_outcome_analysis_key") }}
        from analyses
    )

select *
from final
