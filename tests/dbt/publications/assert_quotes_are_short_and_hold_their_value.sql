-- A quote has at most twenty words, and the number that is published stands in it as printed.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "publications"}}) }}
with
    quoted as (
        select
            'q_publication_arms|' || arms.publication_arm_key as row_key,
            arms.source_quote,
            arms.dose_value::text as printed
        from {{ ref("q_publication_arms") }} as arms
        union all
        select
            'q_publication_populations|' || populations.publication_population_key,
            populations.source_quote,
            null
        from {{ ref("q_publication_populations") }} as populations
        union all
        select
            'q_publication_outcomes|' || outcomes.publication_outcome_key,
            outcomes.source_quote,
            outcomes.value_num::text
        from {{ ref("q_publication_outcomes") }} as outcomes
        union all
        select
            'q_publication_comparisons|' || comparisons.publication_comparison_key,
            comparisons.source_quote,
            comparisons.value_num::text
        from {{ ref("q_publication_comparisons") }} as comparisons
        union all
        select
            'q_publication_safety|' || safety.publication_safety_key,
            safety.source_quote,
            safety.value_percent::text
        from {{ ref("q_publication_safety") }} as safety
    )

select
    quoted.row_key,
    'block' as level,
    case
        when cardinality(regexp_split_to_array(btrim(quoted.source_quote), '\s+')) > 20
        then 'quote_too_long'
        else 'value_not_in_quote'
    end as reason,
    '{}'::jsonb as metadata
from quoted
where
    cardinality(regexp_split_to_array(btrim(quoted.source_quote), '\s+')) > 20
    or not ({{ tidegate.printed_in("quoted.source_quote", "quoted.printed") }})
