"""The made-up models of the project `ward`: what its sources say of subjects and their links."""

from __future__ import annotations

from collections.abc import Sequence

ARM, TRIAL, SPONSOR = "trial_arm_link", "publication_trial_link", "trial_sponsor_org"
MATCHED = (
    (ARM, "group:exact", "arm:exact", "exact_normalized_label", 1.0),
    (TRIAL, "pub:id", "trial:id", "exact_identifier", 1.0),
    (TRIAL, "pub:cross", "trial:cross", "cross_reference", 1.0),
    (TRIAL, "pub:title", "trial:title", "title_inference", 0.95),
    (ARM, "group:fuzzy", "arm:fuzzy", "fuzzy_string", 0.95),
    (ARM, "group:verified", "arm:verified", "fuzzy_string", 0.9),
    (ARM, "group:failed", "arm:failed", "fuzzy_string", 0.9),
    (ARM, "group:ambiguous", "arm:a", "fuzzy_string", 0.95),
    (ARM, "group:ambiguous", "arm:b", "fuzzy_string", 0.93),
    (ARM, "group:set", "arm:similar", "fuzzy_string", 0.9),
    (ARM, "group:suppressed", "arm:suppressed", "exact_normalized_label", 1.0),
    (ARM, "group:pending", "arm:pending", "exact_normalized_label", 1.0),
    (ARM, "group:rejected", "arm:rejected", "exact_normalized_label", 1.0),
    (ARM, "group:superseded", "arm:superseded", "exact_normalized_label", 1.0),
    (SPONSOR, "sponsor:auto", "org:auto", "exact_normalized_label", 1.0),
    (SPONSOR, "sponsor:two", "org:one", "exact_normalized_label", 1.0),
    (SPONSOR, "sponsor:two", "org:other", "curated_table", 1.0),
)
"""Kind, subject, target, method and score of every candidate that no curator made."""

GROUPS = """
-- depends_on: {{ ref("candidates") }}, {{ ref("conflict_queue") }}, {{ ref("assertions") }}
select
    candidates.subject_key,
    min(candidates.subject_kind) as subject_kind,
    min(links.target_key) filter (where links.publishable) as target_key,
    min({{ tidegate.link_word("links", "exact", "unlinked", "rejected") }}) as link_state,
    7.5::numeric as value_num,
    array['PHASE2']::text[] as phases,
    {{ tidegate.publication_tail("candidates.subject_key") }}
from {{ ref("candidates__clinical_trials") }} as candidates
left join {{ ref("links__clinical_trials") }} as links
    on links.subject_kind = candidates.subject_kind and links.subject_key = candidates.subject_key
group by candidates.subject_key
"""

CLAIMS = (
    ("trial_status", "trial:A", "phase", "PHASE2"),
    ("trial_status", "trial:B", "phase", "PHASE3"),
    ("trial_status", "trial:C", "phase", "PHASE1"),
    ("trial_status", "trial:D", "phase", "PHASE1"),
    ("trial_status", "trial:E", "result", "PHASE1"),
    ("registry_outcome_value", "trial:E", "result", "PHASE4"),
)
"""Type, subject, fact and text of claims; two of them say one fact of one subject."""

Matched = tuple[str, str, str, str, float]

LINKS = [
    {"fact": "target_key", "kind": it, "subject": "subject_key"} for it in (ARM, TRIAL, SPONSOR)
]
RECEIPTS = """
with
    subjects as (
        select distinct named.subject_key
        from {{ ref("candidates__clinical_trials") }} as named
    ),
    receipts as (
        select
            'q_groups|' || subjects.subject_key || '|$row' as receipt_key,
            'q_groups|' || subjects.subject_key as provenance_bundle_key,
            'q_groups'::text as model_name,
            subjects.subject_key as row_key,
            '$row'::text as fact_path,
            'primary'::text as role,
            'artifact:1'::text as source_artifact_key,
            'edition 1'::text as source_version_id,
            repeat('a', 64) as source_content_hash,
            'artifact:1'::text as source_immutable_uri,
            'csv_record'::text as locator_shape,
            '{"record": 1}'::jsonb as locator,
            'registry_primary'::text as source_authority_tier,
            'complete'::text as completeness,
            timestamptz '2020-01-01' as recorded_at,
            null::text as curation_overlay_key,
            {{ tidegate.claim_of_receipt(none) }}
        from subjects
    )
select * from receipts
union all
{{ tidegate.linked_receipts("receipts", ENTRIES) }}
"""
RECEIPT_COLUMNS = {
    **dict.fromkeys(("receipt_key", "provenance_bundle_key", "model_name", "row_key", "fact_path",
                     "role", "source_artifact_key", "source_version_id", "source_content_hash",
                     "source_immutable_uri", "locator_shape"), "text!"),
    "locator": "jsonb!", "source_authority_tier": "text!", "completeness": "text!",
    "recorded_at": "timestamp with time zone!",
    **dict.fromkeys(("curation_overlay_key", "claim_id", "attempt_id", "resolution_link_key"),
                    "text"),
}  # fmt: skip


def receipts_sql() -> str:
    """The receipts of the published model as a model, those of linked facts included."""
    entries = ", ".join(
        f'{{"model": "q_groups", "fact": "target_key", "kind": "{link["kind"]}", "key":'
        ' ["subject_key"], "rows": "subjects", "subject": "linked.subject_key"}'
        for link in LINKS
    )
    return RECEIPTS.replace("ENTRIES", f"[{entries}]")


def claims_sql(claims: Sequence[tuple[str, ...]] = CLAIMS) -> str:
    """The claims as a model."""
    rows = ",".join(str(claim) for claim in claims)
    return f"""
select
    concat_ws(':', claim_type, subject_key, fact_path) as claim_id, claim_type, subject_key,
    fact_path, value_text, null::numeric as value_num, null::text as unit,
    'registry_primary' as source_authority_tier, 'edition 1' as source_version_id,
    true as high_impact, true as canonical_bound, timestamptz '2020-01-01' as recorded_at
from (values {rows}) as claims (claim_type, subject_key, fact_path, value_text)
"""


def candidates_sql(matched: Sequence[Matched] = MATCHED) -> str:
    """These candidates as a model, with what curators set."""
    rows = ",".join(
        f"('{kind}', '{subject}', '{target}', '{method}', {score})"
        for kind, subject, target, method, score in matched
    )
    return f"""
with matched (subject_kind, subject_key, target_key, match_method, match_score) as (values {rows}),
subjects as (
    select distinct subject_kind, subject_key, subject_key as source_term,
        'q_somewhere' as target_relation, timestamptz '2020-01-01' as created_at
    from matched
),
{{{{ tidegate.candidate_rows() }}}}
select * from final
"""
