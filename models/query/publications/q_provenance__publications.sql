-- One complete receipt for every row of the family, and one for each published value. Where a
-- record quotes the publication, the receipt leads to the quoted words. What else speaks of a value
-- has a receipt of its own, which supports it or contradicts it.
{#- Receipts stand on claims that passed their gates, and on nothing that was lost on the way. #}
{%- set evidence = [ref("claims__publications"), ref("claims__inference"), ref("event_claims__publications"), ref("enum_quarantine__publications")] %}
{%- set beside = {
    "staged": ref("int_publication_value_sources"),
    "key": ["row_key"],
    "pointer": "staged.pointer",
    "quote": "staged.quote",
    "version": "staged.source_version_id",
    "role": "staged.role",
    "said_by": "staged.said_by",
    "tier": "staged.source_authority_tier",
} %}
with
    receipts as (
        {{
    tidegate.receipt_rows(
        [
            {
                "model": "q_publications",
                "staged": ref("stg_pubmed__publications"),
                "key": ["publication_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_trial_links",
                "staged": ref("int_publication_trials"),
                "key": ["publication_trial_link_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
                "where": "staged.source_authority_tier = 'peer_reviewed'",
            },
            {
                "model": "q_publication_trial_links",
                "staged": ref("int_publication_trials"),
                "key": ["publication_trial_link_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
                "authority": "registry_primary",
                "where": "staged.source_authority_tier = 'registry_primary'",
            },
            {
                "model": "q_publication_arms",
                "staged": ref("stg_pubmed__arms"),
                "key": ["publication_arm_key"],
                "pointer": "staged.pointer",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_populations",
                "staged": ref("stg_pubmed__populations"),
                "key": ["publication_population_key"],
                "pointer": "staged.pointer",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_outcomes",
                "staged": ref("stg_pubmed__outcomes"),
                "key": ["publication_outcome_key"],
                "pointer": "staged.pointer",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_outcomes",
                "staged": ref("stg_pubmed__outcomes"),
                "key": ["publication_outcome_key"],
                "fact": "value_num",
                "pointer": "staged.pointer || '/value'",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
                "where": "staged.value_num is not null",
            },
            {
                "model": "q_publication_comparisons",
                "staged": ref("stg_pubmed__comparisons"),
                "key": ["publication_comparison_key"],
                "pointer": "staged.pointer",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_comparisons",
                "staged": ref("stg_pubmed__comparisons"),
                "key": ["publication_comparison_key"],
                "fact": "value_num",
                "pointer": "staged.pointer || '/value'",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
                "where": "staged.value_num is not null",
            },
            dict(
                beside,
                model="q_publication_outcomes",
                fact="value_num",
                where="staged.model_name = 'q_publication_outcomes'",
            ),
            dict(
                beside,
                model="q_publication_comparisons",
                fact="value_num",
                where="staged.model_name = 'q_publication_comparisons'",
            ),
            dict(
                beside,
                model="q_publication_safety",
                fact="value_percent",
                where="staged.model_name = 'q_publication_safety'",
            ),
            {
                "model": "q_publication_safety",
                "staged": ref("stg_pubmed__safety"),
                "key": ["publication_safety_key"],
                "pointer": "staged.pointer",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_safety",
                "staged": ref("stg_pubmed__safety"),
                "key": ["publication_safety_key"],
                "fact": "value_percent",
                "pointer": "staged.pointer || '/percent'",
                "quote": "staged.source_quote",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
                "where": "staged.value_percent is not null",
            },
            {
                "model": "q_publication_interventions",
                "staged": ref("stg_pubmed__interventions"),
                "key": ["publication_intervention_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
            {
                "model": "q_publication_expected_results",
                "staged": ref("stg_pubmed__expected_results"),
                "key": ["publication_expected_result_key"],
                "pointer": "staged.pointer",
                "version": "staged.source_version_id",
                "authority": "peer_reviewed",
            },
        ]
    )
}}
    )

select *
from receipts
union all
{{
    tidegate.linked_receipts(
        "receipts",
        [
            {
                "model": "q_publication_outcomes",
                "fact": "canonical_endpoint_key",
                "rows": ref("stg_pubmed__outcomes"),
                "key": ["publication_outcome_key"],
                "kind": "publication_endpoint",
                "subject": "linked.publication_outcome_key",
            },
            {
                "model": "q_publication_comparisons",
                "fact": "canonical_endpoint_key",
                "rows": ref("stg_pubmed__comparisons"),
                "key": ["publication_comparison_key"],
                "kind": "publication_endpoint",
                "subject": "linked.publication_comparison_key",
            },
            {
                "model": "q_publication_expected_results",
                "fact": "canonical_endpoint_key",
                "rows": ref("stg_pubmed__expected_results"),
                "key": ["publication_expected_result_key"],
                "kind": "publication_endpoint",
                "subject": "linked.publication_expected_result_key",
            },
            {
                "model": "q_publication_populations",
                "fact": "segment_key",
                "rows": ref("stg_pubmed__populations"),
                "key": ["publication_population_key"],
                "kind": "publication_segment",
                "subject": "linked.publication_population_key",
            },
            {
                "model": "q_publication_interventions",
                "fact": "resolved_drug_key",
                "rows": ref("stg_pubmed__interventions"),
                "key": ["publication_intervention_key"],
                "kind": "publication_intervention",
                "subject": "linked.publication_intervention_key",
            },
            {
                "model": "q_publication_trial_links",
                "fact": "trial_key",
                "rows": ref("int_publication_trials"),
                "key": ["publication_trial_link_key"],
                "kind": "publication_trial_link",
                "subject": "linked.link_subject_key",
            },
        ],
    )
}}
