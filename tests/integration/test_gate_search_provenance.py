"""search_provenance: a search row leads to an existing model and a row with a receipt."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "search_row_key text!, source_q_model_name text, source_q_row_key text, indexed_at timestamptz"
)
TRIAL, PAPER = "trial:NCT01642004", "pub:pmid:26028407"
ROWS = [
    ("linked", "q_trials", TRIAL, "2026-07-02"),
    ("other_family", "q_publications", PAPER, "2026-07-02"),
    ("orphan", "q_trials", "trial:NCT99999999", "2026-07-02"),
    ("wrong_model", "q_publications", TRIAL, "2026-07-02"),
    ("saved_view", "q_saved_views", "x", "2026-07-02"),
    ("nothing", None, None, "2026-07-02"),
    ("stale", "q_publications", PAPER, "2026-06-01"),
    ("at_once", "q_publications", PAPER, "2026-07-01"),
    ("itself", "q_search_documents", "linked", "2026-07-02"),
]


def world(conn: Connection, rows: list[Any]) -> tuple[Model, ...]:
    """The search rows, two owner models of two families and their receipts."""
    receipts = "model_name text, row_key text, recorded_at timestamptz"
    table(conn, "q_provenance__clinical_trials", receipts,
          [("q_trials", TRIAL, "2026-06-30"), ("q_trials", TRIAL, "2026-07-01")],
          row_key=["row_key"])  # fmt: skip
    table(conn, "q_provenance__publications", receipts, [("q_publications", PAPER, "2026-07-01")],
          row_key=["row_key"])  # fmt: skip
    return (
        table(conn, "q_search_documents", COLUMNS, rows, row_key=["search_row_key"]),
        table(conn, "q_trials", "k text!", [(TRIAL,)]),
        table(conn, "q_publications", "k text!", [(PAPER,)], family="publications"),
    )


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "search_provenance", *world(conn, rows), **options)


def test_a_search_row_linked_to_an_owner_receipt_passes(conn: Connection) -> None:
    """Also where the owner is of another family."""
    result = verdict(conn, ROWS[:2])
    assert (result.status, result.rows_checked) == (Status.PASS, 2)
    assert result.asset_keys == (
        "q_search_documents", "q_provenance__clinical_trials", "q_provenance__publications",
    )  # fmt: skip


def test_an_orphan_source_row_tuple_blocks(conn: Connection) -> None:
    """No receipt under that model and key, or no such model."""
    result = verdict(conn, ROWS)
    assert by_row(result) == {
        "orphan": {"source_receipt_missing"},
        "wrong_model": {"source_receipt_missing"},
        "saved_view": {"source_model_missing"},
        "nothing": {"source_model_missing"},
        "itself": {"source_receipt_missing"},
        "stale": {"~index_stale"},
    }
    assert about(result, "orphan") == (
        {"withheld": []},
        {"source_q_model_name": "q_trials", "source_q_row_key": "trial:NCT99999999"},
    )


def test_a_model_without_relation_does_not_exist(conn: Connection) -> None:
    """A contract alone is nothing that a search row can lead to."""
    result = verdict(conn, ROWS[:1], missing=["q_trials"])
    assert by_row(result) == {"linked": {"source_model_missing"}}


def test_without_any_receipt_nothing_passes(conn: Connection) -> None:
    """A family without its provenance has receipts for nothing."""
    result = verdict(conn, ROWS[:1], missing=["q_provenance__clinical_trials"])
    assert by_row(result) == {"linked": {"source_receipt_missing"}}


def test_receipts_of_a_family_that_is_only_served_are_in_the_united_view(conn: Connection) -> None:
    """Its part has no view of its own; what is judged here never counts as served."""
    conn.execute("create schema if not exists query")
    conn.execute(
        "create view query.q_provenance as select * from (values"
        f" ('q_publications', '{PAPER}', timestamptz '2026-07-01'),"
        " ('q_trials', 'trial:NCT99999999', timestamptz '2026-07-01'))"
        " as served(model_name, row_key, recorded_at)"
    )
    result = verdict(conn, ROWS[:3], missing=["q_provenance__publications"])
    assert by_row(result) == {"orphan": {"source_receipt_missing"}}


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, ROWS)
    assert survivors(conn, spec("search_provenance", judged, *others)) == []
