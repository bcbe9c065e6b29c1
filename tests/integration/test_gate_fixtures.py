"""Fixtures that the contracts seed requires by name, where a gate's own tests hold several in one.

`tests/gate_catalogue.yml` says which test is which fixture. Rows and helpers are those of the
gates' own test files.
"""

from __future__ import annotations

import pytest

from integration import test_gate_announcement_semantics as events
from integration import test_gate_curation_effective_state as overlays
from integration import test_gate_document_version as documents
from integration import test_gate_provenance_coverage as coverage
from integration import test_gate_referential_integrity as references
from integration import test_gate_resolution_basis as links
from integration import test_gate_temporal_validity as ownership
from integration.gating import found
from integration.semantic_gating import Connection, about, by_row
from tidegate.gates.model import Status

facts = references.facts
receipts = coverage.receipts


def test_a_consumer_row_whose_owner_key_exists_passes(facts: Connection) -> None:
    """The endpoint is there, and so is every member of the array."""
    references.put(facts, ("o1", "endpoint:orr", ["rg:OG000", "rg:OG001"]))
    judged = references.outcomes(references.ENDPOINT, references.MEMBERS)
    result = references.judged(facts, judged)
    assert (result.status, result.rows_checked, found(result)) == (Status.PASS, 1, [])


def test_a_dangling_key_blocks(facts: Connection) -> None:
    """The row is named; the key that leads nowhere is a field value and is not."""
    references.put(facts, ("o1", "endpoint:orr", None), ("o2", "endpoint:orrr", None))
    result = references.judged(facts, references.outcomes(references.ENDPOINT))
    assert (result.status, result.blocks) == (Status.FAIL, True)
    assert found(result) == [("o2", "block", "key_dangling")]


def test_a_nullable_absent_key_passes(facts: Connection) -> None:
    """Not resolved yet is allowed."""
    references.put(facts, ("o1", None, None), ("o2", None, []))
    judged = references.outcomes(references.ENDPOINT, references.MEMBERS)
    assert references.judged(facts, judged).status is Status.PASS


def only(receipts: Connection, row: str) -> set[tuple[str | None, str, str]]:
    """What is found where the model has that row alone."""
    coverage.run(receipts, f"delete from q_trial_outcomes where row_key <> '{row}'")
    result = coverage.judged(receipts, "fact_required", "value_num")
    assert result.rows_checked == 1
    return set(found(result))


def test_a_published_row_with_complete_bundle_passes(receipts: Connection) -> None:
    """A receipt for the row and one for its value, both complete."""
    assert only(receipts, "r1") == set()


def test_a_row_with_missing_bundle_blocks(receipts: Connection) -> None:
    """It names no receipts."""
    assert only(receipts, "r2") == {("r2", "block", "bundle_missing")}


def test_a_row_with_missing_fact_path_blocks(receipts: Connection) -> None:
    """The row has its receipt, the value has none."""
    assert only(receipts, "r3") == {("r3", "block", "receipt_missing")}


def test_a_row_with_partial_provenance_warns(receipts: Connection) -> None:
    """There, and not whole."""
    assert only(receipts, "r4") == {("r4", "warn", "receipt_partial")}


DOCUMENTS = dict(zip(("label", "publication", "registry"), documents.PASSING, strict=True))


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_with_its_version_passes(conn: Connection, kind: str) -> None:
    """Label, publication and registry record: edition, revision, snapshot."""
    assert documents.judged(conn, DOCUMENTS[kind]).status is Status.PASS


def test_a_news_document_of_a_weak_version_warns(conn: Connection) -> None:
    """A time of publication is a version in name only: told, and nothing is withheld."""
    (news,) = [row for row in documents.FAILING if row[0] == "news"]
    result = documents.judged(conn, documents.PASSING[0], news)
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert (result.rows_checked, result.rows_failing, result.rows_warning) == (2, 0, 1)
    assert by_row(result) == {"news": {"~document_version_weak"}}
    assert about(result, "news") == (
        {"missing": [], "withheld": []},
        {"source_family": "news", "source_version_id": "2015-03-02T00:00Z",
         "source_artifact_key": "press"},
    )  # fmt: skip
    nameless = documents.judged(conn, documents.NAMELESS)
    assert (nameless.status, by_row(nameless)) == (
        Status.FAIL, {"nameless_news": {"document_version_missing"}},
    )  # fmt: skip


BASES = {row[0]: row for row in links.PASSING}


@pytest.mark.parametrize("basis", ["id", "xref", "reviewed"])
def test_a_link_on_an_allowed_basis_passes(conn: Connection, basis: str) -> None:
    """Exact identifier, cross reference, reviewed curation override."""
    assert links.verdict(conn, [BASES[basis]]).status is Status.PASS


OVERLAYS = {row[0]: row for row in (*overlays.PASSING, *overlays.FAILING)}


def test_a_proposal_is_not_in_force(conn: Connection) -> None:
    """Pending and idle passes; pending and active blocks."""
    assert overlays.verdict(conn, [OVERLAYS["proposal"]]).status is Status.PASS
    assert by_row(overlays.verdict(conn, [OVERLAYS["unreviewed"]])) == {
        "unreviewed": {"overlay_unreviewed_active"}
    }


def test_a_human_approval_is_in_force(conn: Connection) -> None:
    """Approved and active passes; approved and idle blocks."""
    assert overlays.verdict(conn, [OVERLAYS["approved"]]).status is Status.PASS
    assert by_row(overlays.verdict(conn, [OVERLAYS["unused"]])) == {
        "unused": {"overlay_winner_inactive"}
    }


def test_a_superseded_overlay_gives_way(conn: Connection) -> None:
    """The heir alone is active; the other way round both are wrong."""
    assert overlays.verdict(conn, [OVERLAYS["old"], OVERLAYS["new"]]).status is Status.PASS
    assert by_row(overlays.verdict(conn, [OVERLAYS["superseded"], OVERLAYS["heir"]])) == {
        "superseded": {"overlay_superseded_active"},
        "heir": {"overlay_winner_inactive"},
    }


def test_a_rejected_overlay_changes_nothing(conn: Connection) -> None:
    """Whatever its precedence."""
    rows = [OVERLAYS["refused"], OVERLAYS["winner"], OVERLAYS["lower"]]
    assert overlays.verdict(conn, rows).status is Status.PASS
    assert by_row(overlays.verdict(conn, [OVERLAYS["rejected"]])) == {
        "rejected": {"overlay_rejected_active"}
    }


def test_the_active_overlay_is_the_one_of_highest_precedence(conn: Connection) -> None:
    """Two reviewed overlays of one fact are never both active."""
    rows = [OVERLAYS["outranked"], OVERLAYS["outranking"]]
    assert by_row(overlays.verdict(conn, rows)) == {"outranked": {"overlay_outranked_active"}}


EVENTS = {row[0]: row for row in (*events.PASSING, *events.FAILING)}


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("accepted", "promoted", "truth_promoted"),
        ("approved", "no_status", "status_collapsed"),
        ("published", "paper", "status_collapsed"),
    ],
    ids=["news_announcement", "fda_approval", "publication"],
)
def test_an_event_keeps_what_its_source_says(
    conn: Connection, right: str, wrong: str, reason: str
) -> None:
    """An announcement is announced, AP is an approval, a paper was published."""
    assert events.verdict(conn, [EVENTS[right]]).status is Status.PASS
    assert by_row(events.verdict(conn, [EVENTS[wrong]])) == {wrong: {reason}}


def test_an_ownership_rename_closes_one_interval_and_opens_the_next(conn: Connection) -> None:
    """Two names at once block; a closed one, a gap and the next pass."""
    renamed = [row for row in ownership.PASSING if row[0] == "renamed"]
    assert ownership.verdict(conn, renamed).status is Status.PASS
    first, second = renamed
    at_once = [(*first[:2], "2018-01-01", *first[3:]), second]
    assert by_row(ownership.verdict(conn, at_once)) == {"renamed|2017-01-01": {"interval_overlaps"}}
