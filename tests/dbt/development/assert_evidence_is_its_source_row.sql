-- The row that evidence names exists in the model that it names, with the same endpoint and value.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "development"}}) }}
with
    evidence as (select * from {{ ref("q_development_emerging_evidence") }}),

    sources as (
        select
            'q_trial_outcomes' as model_name,
            posted.trial_outcome_key as row_key,
            posted.canonical_endpoint_key,
            posted.value_num
        from {{ ref("q_trial_outcomes") }} as posted
        union all
        select
            'q_publication_outcomes',
            published.publication_outcome_key,
            published.canonical_endpoint_key,
            published.value_num
        from {{ ref("q_publication_outcomes") }} as published
        union all
        select
            'q_announced_results',
            announced.announced_result_key,
            announced.canonical_endpoint_key,
            announced.value_num
        from {{ ref("q_announced_results") }} as announced
    )

select
    evidence.emerging_evidence_key as row_key,
    'block' as level,
    found.reason,
    '{}'::jsonb as metadata
from evidence
left join
    sources
    on sources.model_name = evidence.source_row_model
    and sources.row_key = evidence.source_row_key
cross join
    lateral(
        values
            (sources.row_key is null, 'evidence_without_source'),
            (
                sources.row_key is not null
                and (evidence.canonical_endpoint_key, evidence.value_num)
                is distinct from (sources.canonical_endpoint_key, sources.value_num),
                'evidence_contradicts_source'
            )
    ) as found(applies, reason)
where found.applies
