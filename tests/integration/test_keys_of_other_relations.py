"""A row of another relation than the judged one shows its key where that relation says so."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from integration import test_gate_arm_dose_attribution as arms
from integration import test_gate_commercial_observation_semantics as commercial
from integration import test_gate_development_program_semantics as development
from integration import test_gate_epidemiology_observation_semantics as epidemiology
from integration.semantic_gating import table
from tidegate.connection import Connection
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult

# A gate's own test module, what it judges, and for each other relation: a verdict in which only
# rows of that relation are wrong.
CASES: dict[str, tuple[ModuleType, str, Callable[[Connection], GateResult]]] = {
    "sales summaries": (
        commercial, "q_product_sales_facts",
        lambda conn: commercial.verdict(conn, commercial.PASSING, [], commercial.SUMMARIES),
    ),
    "sales conversions": (
        commercial, "q_product_sales_facts",
        lambda conn: commercial.verdict(conn, commercial.PASSING, commercial.CONVERSIONS),
    ),
    "epidemiology series": (
        epidemiology, "q_epidemiology_observations",
        lambda conn: epidemiology.verdict(conn, epidemiology.PASSING, epidemiology.POINTS),
    ),
    "epidemiology summaries": (
        epidemiology, "q_epidemiology_observations",
        lambda conn: epidemiology.verdict(
            conn, epidemiology.PASSING, [], epidemiology.SUMMARIES[:3]
        ),
    ),
    "forecast inputs": (
        epidemiology, "q_epidemiology_observations",
        lambda conn: epidemiology.verdict(
            conn, epidemiology.PASSING, [], [], epidemiology.READINESS
        ),
    ),
    "development history": (
        development, "q_development_programs",
        lambda conn: development.verdict(conn, development.PASSING, development.BAD_HISTORY),
    ),
    "development counts": (
        development, "q_development_programs",
        lambda conn: development.verdict(conn, development.PASSING, None, development.LANDSCAPE),
    ),
    "development evidence": (
        development, "q_development_programs",
        lambda conn: development.verdict(
            conn, development.PASSING, None, None, development.EVIDENCE
        ),
    ),
    "publication outcomes": (
        arms, "q_publication_arms",
        lambda conn: arms.verdict(conn, arms.PASSING, arms.BAD),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_keys_of_another_relation_are_shown_only_where_its_contract_says_so(
    case: str, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict, its counts and its reasons are the same; the keys are there or not."""
    module, judged, verdict = CASES[case]
    shown = verdict(conn)
    assert shown.status is Status.FAIL
    assert all(sample.row_key for sample in shown.samples)

    def private(conn: Connection, name: str, *given: Any, **more: Any) -> Any:
        return table(conn, name, *given, **{**more, "public": name == judged})

    monkeypatch.setattr(module, "table", private)
    withheld = verdict(conn)
    assert (withheld.reasons, withheld.rows_failing) == (shown.reasons, shown.rows_failing)
    assert {sample.row_key for sample in withheld.samples} == {None}
    assert all(sample.metadata["key_withheld"] is True for sample in withheld.samples)
