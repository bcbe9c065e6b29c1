"""assertion_support: what the warehouse stands behind rests on claims that no gate rejected."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = (
    "assertion_key text!, claim_type text, subject_key text, fact_path text,"
    " supporting_claim_ids text[]"
)
ABOUT = ("registry_outcome_value", "trial:NCT01642004", "value_num")
SUPPORTED = ("good", *ABOUT, ["c1", "c2"])
FAILING = {
    "none": ((*ABOUT, None), "support_missing"),
    "empty": ((*ABOUT, []), "support_missing"),
    "gone": ((*ABOUT, ["c1", "c9"]), "claim_missing"),
    "rejected": ((*ABOUT, ["c1", "c3"]), "claim_quarantined"),
}


def surroundings(conn: Connection) -> tuple[Model, ...]:
    """Three claims, of which one is in quarantine; c2 is there under another relation's name."""
    return (
        table(conn, "claims", "claim_id text!", [("c1",), ("c2",), ("c3",)],
              row_key=["claim_id"]),
        table(conn, "quarantine", "k text, relation_name text, row_key text",
              [("1", "evidence.claims", "c3"), ("2", "evidence.claims", "c3"),
               ("3", "resolution.candidates", "c2")]),
    )  # fmt: skip


def judged(conn: Connection, *rows: Any, **options: Any) -> GateResult:
    assertions = table(conn, "assertions", COLUMNS, rows, row_key=["assertion_key"])
    return judge(conn, "assertion_support", assertions, *surroundings(conn), **options)


def test_an_assertion_on_accepted_claims_passes(conn: Connection) -> None:
    """Every claim is there and none is in quarantine; no assertion is no verdict."""
    assert judged(conn, SUPPORTED).status is Status.PASS
    assert judged(conn).status is Status.NOT_EVALUATED


def test_each_missing_support_blocks(conn: Connection) -> None:
    """Nothing named, a claim that is gone, one that a gate rejected."""
    result = judged(conn, SUPPORTED, *((key, *row) for key, (row, _) in FAILING.items()))
    assert (result.status, result.rows_checked, result.rows_failing) == (Status.FAIL, 5, 4)
    assert by_row(result) == {key: {reason} for key, (_, reason) in FAILING.items()}
    assert about(result, "rejected") == (
        {"absent": 0, "quarantined": 1, "withheld": []},
        {"claim_type": ABOUT[0], "subject_key": ABOUT[1], "fact_path": ABOUT[2],
         "supporting_claim_ids": ["c1", "c3"]},
    )  # fmt: skip
    assert about(result, "gone")[0] == {"absent": 1, "quarantined": 0, "withheld": []}
    assert result.remediation_hint == GATES["assertion_support"].remedy


def test_severity_and_names_are_the_contracts(conn: Connection) -> None:
    """A warning blocks nothing; the quarantine may know the claims by another name."""
    row = ("rejected", *FAILING["rejected"][0])
    warned = judged(conn, row, severity=Severity.WARNING)
    assert (warned.status, warned.blocks) == (Status.WARN, False)
    other = {"quarantined_as": "resolution.candidates"}
    assert judged(conn, row, arguments=other).status is Status.PASS


def test_without_claims_or_quarantine_there_is_no_verdict(conn: Connection) -> None:
    """What could not be looked up has not passed."""
    assert judged(conn, SUPPORTED, missing=["quarantine"]).status is Status.NOT_EVALUATED
    assert judged(conn, SUPPORTED, missing=["claims"]).blocks


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    rows = [SUPPORTED, *((key, *row) for key, (row, _) in FAILING.items())]
    assertions = table(conn, "assertions", COLUMNS, rows, row_key=["assertion_key"])
    checked = spec("assertion_support", assertions, *surroundings(conn))
    assert survivors(conn, checked) == []
