"""Receipts of the reference domain name what the row rests on: claims, attempts and links.

Source: the domain model's `query.q_provenance`; contracts seed, gate `provenance_coverage`.
"""

from __future__ import annotations

import pytest

from published_domain import FAMILIES, PROJECT
from tidegate.gates.model import Status
from trial_project import Built

KEPT = tuple(family for family in FAMILIES if f"q_provenance__{family}" in PROJECT.models)
RECEIPTS = " union all ".join(
    f"select model_name, row_key, fact_path, role, source_artifact_key, source_authority_tier,"
    f" claim_id, attempt_id, resolution_link_key from q_provenance__{family}"
    for family in KEPT
)
GATE = "referential_integrity"


def named(built: Built, statement: str) -> list[tuple[object, ...]]:
    """Rows of a query on the receipts of every family."""
    return built.query(f"with receipts as ({RECEIPTS}) {statement}")


def test_a_row_that_a_claim_is_names_it_and_the_fact_does_too(built: Built) -> None:
    """Of each type that is published as it was claimed; the claim is of the same artefact."""
    assert named(
        built,
        "select receipts.model_name, receipts.fact_path, receipts.role, claims.claim_type,"
        " bool_and(receipts.source_artifact_key = claims.source_artifact_key)"
        " from receipts inner join evidence.claims as claims using (claim_id)"
        " where claims.canonical_bound and starts_with(receipts.row_key, claims.subject_key)"
        " and receipts.model_name not in ('q_search_documents', 'q_discovery_entities')"
        " group by 1, 2, 3, 4 order by 1, 2, 3",
    ) == [
        (model, fact, role, kind, True)
        for model, facts, role, kind in (
            ("q_announced_results", "$row value_num", "primary", "publication_outcome_value"),
            ("q_approval_events", "$row", "primary", "regulatory_event"),
            ("q_approval_indications", "$row indication_text", "primary",
             "approved_indication_text"),
            ("q_development_milestones", "$row", "primary", "development_milestone"),
            ("q_epidemiology_observations", "$row value", "primary", "epidemiology_value"),
            ("q_news_events", "$row event_status", "primary", "announcement_event"),
            ("q_product_sales_conversions", "$row", "primary", "product_sales_value"),
            ("q_product_sales_facts", "$row reported_value", "primary", "product_sales_value"),
            ("q_product_sales_fx_receipts", "$row", "primary", "fx_rate"),
            ("q_publication_comparisons", "$row value_num", "primary",
             "publication_comparison_value"),
            ("q_publication_comparisons", "value_num", "supporting",
             "publication_comparison_value"),
            ("q_publication_outcomes", "$row value_num", "primary", "publication_outcome_value"),
            ("q_publication_safety", "$row value_percent", "primary", "safety_value"),
            ("q_publications", "publication_date", "primary", "announcement_event"),
            ("q_trial_outcome_analyses", "$row", "primary", "registry_analysis_value"),
            ("q_trial_outcomes", "$row value_num", "primary", "registry_outcome_value"),
        )
        for fact in facts.split()
    ]  # fmt: skip


def test_no_claim_is_left_that_readers_see_a_row_of(built: Built) -> None:
    """A relationship that no model publishes is the only one that no receipt names."""
    assert named(
        built,
        "select claims.claim_type, claims.value_text from evidence.claims as claims"
        " where claims.canonical_bound and not exists"
        " (select from receipts where receipts.claim_id = claims.claim_id) group by 1, 2",
    ) == [("ownership_relationship", "owns_asset")]


def test_what_a_model_read_names_its_claim_and_the_attempt_of_that(built: Built) -> None:
    """Nothing else names an attempt; the registry's value beside a published one has its claim."""
    assert named(
        built,
        "select receipts.source_authority_tier, claims.produced_by,"
        " bool_and(receipts.attempt_id is not distinct from claims.attempt_id),"
        " count(distinct receipts.claim_id) > 1"
        " from receipts inner join evidence.claims as claims using (claim_id)"
        " where receipts.role in ('supporting', 'conflicting') group by 1, 2 order by 1",
    ) == [
        ("model_inferred", "inference", True, True),
        ("registry_primary", "deterministic_parser", True, True),
    ]
    assert named(
        built, "select distinct source_authority_tier from receipts where attempt_id is not null"
    ) == [("model_inferred",)]


def test_a_milestone_names_the_claim_that_supports_it(built: Built) -> None:
    """So does every interval that was folded from it; no gate rejected it."""
    assert named(
        built,
        "select count(*) = count(receipts.claim_id) and bool_and(receipts.claim_id"
        " = any(milestones.supporting_claim_ids)) from receipts"
        " inner join canonical.development_program_milestones as milestones"
        " on milestones.milestone_key = receipts.row_key"
        " where receipts.model_name = 'q_development_milestones' and receipts.fact_path = '$row'",
    ) == [(True,)]
    assert named(
        built,
        "select distinct split_part(claim_id, ':', 2) from receipts"
        " where model_name = 'q_development_state_history' and claim_id is not null order by 1",
    ) == [("development_milestone",), ("regulatory_event",), ("trial_status",)]


RESOLVED = sorted(
    {
        (model.keys.family, name, tuple(model.keys.row_key), link["fact"])
        for name, model in PROJECT.models.items()
        for test in model.tests
        if isinstance(test, dict) and "provenance_coverage" in test
        for link in (test["provenance_coverage"].get("arguments") or {}).get("links") or ()
    }
)


@pytest.mark.parametrize(("family", "model", "key", "fact"), RESOLVED)
def test_a_resolved_column_has_the_link_that_it_was_found_by(
    built: Built, family: str, model: str, key: tuple[str, ...], fact: str
) -> None:
    """In a receipt of its own; the link leads to what is published, and nothing else names one."""
    row = " || '|' || ".join(f"shown.{column}::text" for column in key)
    only = " and shown.axis = 'ownership'" if fact == "axis_value" else ""
    # An arm of an article or of an announcement is known by an equal label, and by no link.
    unlinked = (
        " and shown.source_kind = 'registry_result'"
        if fact == "arm_key" and (model == "q_development_emerging_evidence")
        else ""
    )
    # A regimen is several drugs, each with a link of its own.
    several = fact == "regimen_signature"
    held = f"string_to_array(shown.{fact}, '+')" if several else f"array[shown.{fact}]"
    found = named(
        built,
        f"select count(*) filter (where links.target_key = any({held})) > 0,"
        f" count(*) filter (where (links.target_key = any({held})) is not true"
        f" and links.link_state <> 'rejected'),"
        f" count(*) filter (where links.link_key is null{unlinked})"
        f" from {model} as shown left join receipts on receipts.model_name = '{model}'"
        f" and receipts.row_key = {row} and receipts.fact_path = '{fact}'"
        " left join resolution.links as links on links.link_key = receipts.resolution_link_key"
        f" where shown.{fact} is not null{only}",
    )
    assert found == [(True, 0, 0)], family


@pytest.mark.parametrize(
    ("model", "key", "fact", "where"),
    [
        ("q_epidemiology_series", "series_key", "segment_key", "true"),
        ("q_epidemiology_summaries", "summary_key", "segment_key", "true"),
        ("q_product_sales_summaries", "summary_key", "organisation_key", "true"),
        ("q_development_landscape", "landscape_key", "segment_key", "true"),
        (
            "q_development_state_history", "context_key || '|' || axis || '|' || valid_from",
            "axis_value", "axis = 'ownership'",
        ),
    ],
)  # fmt: skip
def test_what_was_made_keeps_the_link_of_a_column_that_it_keeps(
    built: Built, model: str, key: str, fact: str, where: str
) -> None:
    """Each row with the column has the receipt, and its link leads there; no other has one.

    What the fold also looked at, an earlier owner, is an input beside it.
    """
    assert named(
        built,
        f"select count(*) > 0, bool_and({fact} is not null and found.every_link_leads_there)"
        f" from (select * from {model} where {where}) as shown full join"
        " (select receipts.row_key, jsonb_agg(distinct links.target_key) as targets from receipts"
        " inner join resolution.links as links on links.link_key = receipts.resolution_link_key"
        f" where receipts.model_name = '{model}' and receipts.fact_path = '{fact}'"
        " and receipts.role = 'primary' group by 1"
        f" ) as linked on linked.row_key = {key} cross join lateral (select linked.targets ="
        f" jsonb_build_array(shown.{fact}) as every_link_leads_there) as found"
        f" where shown.{fact} is not null or linked.row_key is not null",
    ) == [(True, True)]


DAMAGED = [
    *((family, "claim_id") for family in KEPT if family != "discovery"),
    *(
        (family, column)
        for family in KEPT
        if family not in ("discovery", "spines")
        for column in ("resolution_link_key", "attempt_id")
    ),
]


@pytest.mark.parametrize(("family", "column"), DAMAGED)
def test_a_receipt_that_names_what_is_not_there_blocks(
    built: Built, family: str, column: str
) -> None:
    """A claim, a link, an attempt; as they were built they are all there."""
    model = f"q_provenance__{family}"
    assert built.verdicts(family)[model, GATE].status is Status.PASS
    gone = (
        f"update {model} set {column} = 'gone' where receipt_key ="
        f" (select min(receipt_key) from {model} where claim_id is null)"
    )
    result = built.verdicts(family, gone)[model, GATE]
    assert (result.status, result.blocks, result.reasons) == (
        Status.FAIL, True, {"key_dangling": 1},
    )  # fmt: skip
    metadata = dict(result.samples[0].metadata)
    assert metadata["columns"] == [column]
    assert "gone" not in str(metadata)


def test_a_receipt_that_names_the_claim_of_one_attempt_and_another_attempt_blocks(
    built: Built,
) -> None:
    """Both are there; together they are not."""
    model = "q_provenance__publications"
    other = (
        f"update {model} set attempt_id = (select min(attempt_id) from"
        " provenance.inference_attempts as attempts where attempts.attempt_id <>"
        f" all(select attempt_id from {model} where attempt_id is not null)) where receipt_key ="
        f" (select min(receipt_key) from {model} where attempt_id is not null)"
    )
    result = built.verdicts("publications", other)[model, GATE]
    assert (result.status, result.reasons) == (Status.FAIL, {"key_dangling": 1})
    assert result.samples[0].metadata["columns"] == ["claim_id", "attempt_id"]


@pytest.mark.parametrize("column", ["claim_id", "attempt_id"])
def test_what_a_model_read_without_its_claim_or_attempt_warns(built: Built, column: str) -> None:
    """The receipt is partial: the fact stands on another one, and is published."""
    key = ("q_publication_comparisons", "provenance_coverage")
    assert built.verdicts("publications")[key].status is Status.PASS
    silent = (
        f"update q_provenance__publications set {column} = null where receipt_key = (select"
        " min(receipt_key) from q_provenance__publications where attempt_id is not null)"
    )
    result = built.verdicts("publications", silent)[key]
    assert (result.status, result.blocks, result.reasons) == (
        Status.WARN, False, {"receipt_partial": 1},
    )  # fmt: skip
    assert dict(result.samples[0].metadata) == {
        "model": "q_publication_comparisons", "fact_path": "value_num", "missing": [column],
    }  # fmt: skip


def test_a_link_that_a_model_verified_names_the_attempt(built: Built) -> None:
    """Its receipts say by whose word a similar text is a link; the rule's links name nobody."""
    made = (
        "create temporary table told as select candidate_id from"
        " resolution.candidates__clinical_trials as candidates"
        " where subject_kind = 'trial_arm_link' and match_method = 'fuzzy_string' and not exists"
        " (select from resolution.links__clinical_trials as links"
        " where links.subject_key = candidates.subject_key) and not exists"
        " (select from resolution.conflict_queue__clinical_trials as queue"
        " where queue.subject_key = candidates.subject_key)"
        " and exists (select from staging.stg_ctgov__outcomes as posted"
        " where posted.result_group_key = candidates.subject_key)"
        " order by candidate_id limit 1"
    )
    verified = (
        "insert into resolution.verifications__clinical_trials select (jsonb_populate_record("
        "null::resolution.verifications__clinical_trials, to_jsonb(rule) || jsonb_build_object("
        "'verification_id', 'told', 'candidate_id', told.candidate_id, 'verdict', 'pass',"
        " 'verifier_kind', 'llm_verifier', 'attempt_id',"
        " (select min(attempt_id) from provenance.inference_attempts)))).*"
        " from (select * from resolution.verifications__clinical_trials limit 1) as rule, told"
    )
    with built.warehouse.connect(autocommit=False) as conn:
        for statement in (
            "set search_path to clinical_trials__candidate, pg_catalog", made, verified,
            *built.rebuilt("links__clinical_trials", "q_provenance__clinical_trials"),
        ):  # fmt: skip
            conn.execute(statement.encode())
        found = conn.execute(
            "select fact_path, count(*) > 0, count(distinct resolution_link_key),"
            " min(attempt_id) = (select min(attempt_id) from provenance.inference_attempts),"
            " count(claim_id) from q_provenance__clinical_trials where attempt_id is not null"
            " and model_name = 'q_trial_outcomes' group by 1"
        ).fetchall()
        others = conn.execute(
            "select count(*) from q_provenance__clinical_trials where attempt_id is not null"
            " and fact_path <> 'arm_key'"
        ).fetchone()
        conn.rollback()
    assert (found, others) == ([("arm_key", True, 1, True, 0)], (0,))
