"""safety_attribution_integrity (pub_safety_attribution): harms under their own arm.

NCT01642004: 135 and 137 randomised, 131 and 129 treated.
"""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Connection,
    about,
    alone,
    by_row,
    judge,
    rejected,
    survivors,
    table,
)
from tidegate.gates.model import Model, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

SAFETY = (
    "k text!, publication_key text, publication_arm_key text, publication_population_key text,"
    " ae_term text, grade_bucket text, affected integer, safety_n integer,"
    " attribution_state text, source_quote text, treated_n integer"
)
FEVER = "febrile neutropenia in 13 patients treated with docetaxel"
FAN = "docetaxel and cohort A: 7"
ARGUMENTS = {"columns": {"treated_n": "treated_n"}}


def event(key: str, arm: Any, n: int, state: Any = "arm_specific", quote: Any = FEVER, *,
          population: str = "safety", affected: int = 13, term: str = "Febrile neutropenia",
          treated: Any = None) -> tuple[Any, ...]:  # fmt: skip
    return (key, "P1", arm, population, term, "serious", affected, n, state, quote, treated)


PASSING = [
    event("own", "docetaxel", 129, treated=129),
    event("cohort", "cohort_a", 131, "cohort_specific", "9 of cohort A", affected=9),
    event("pooled", None, 260, "pooled_as_reported", "22 of all treated patients"),
    event("unknown", None, 260, "unknown", None),
]
FAILING = [
    event("randomised", "docetaxel", 137, treated=129),
    event("too_many", None, 300, "pooled_as_reported", "22 of all"),
    event("efficacy", "docetaxel", 129, population="itt"),
    event("more", "docetaxel", 129, affected=140),
    event("armless", None, 129),
    event("guessed", "cohort_a", 131, "cohort_specific", "9 patients overall", affected=9,
          term="Any"),
    event("quoteless", "cohort_a", 131, quote=None, term="Rash"),
    event("on_arm", "docetaxel", 129, "pooled_as_reported", "22 in docetaxel", term="Nausea"),
    event("stateless", "docetaxel", 129, None, "22 in docetaxel", term="Cough"),
    event("fan_a", "docetaxel", 129, quote=FAN, affected=7),
    event("fan_b", "cohort_a", 131, quote=FAN, affected=7),
]  # fmt: skip
BRANCHES = [
    (("other_paper", "P9", *event("", "docetaxel", 129, quote=FAN, affected=7)[2:]), set()),
    (event("other_term", "docetaxel", 129, quote=FAN, affected=7, term="Fever"), set()),
    ((*event("other_grade", "docetaxel", 129, quote=FAN)[:5], "g3_4", 7, 129, "arm_specific", FAN),
     set()),
    (event("other_count", "docetaxel", 129, quote=FAN, affected=6), set()),
    (event("other_quote", "docetaxel", 129, quote="docetaxel: 7", affected=7), set()),
    (event("fan_a", "docetaxel", 129, quote=FAN, affected=7), {"event_on_several_arms"}),
    (event("fan_b", "cohort_a", 131, quote=FAN, affected=7), {"event_on_several_arms"}),
    (event("pooled_elsewhere", "docetaxel", 129, "pooled_as_reported", "22 overall", term="Pain"),
     {"pooled_on_an_arm"}),
    (event("everybody", "docetaxel", 129, affected=129, treated=129), set()),
    (event("cohortless", None, 131, "cohort_specific"), {"arm_absent"}),
]  # fmt: skip


def world(conn: Connection, rows: list[Any]) -> tuple[Model, ...]:
    return (
        table(conn, "q_publication_safety", SAFETY, rows),
        table(conn, "q_publication_arms", "publication_arm_key text!, source_arm_label text",
              [("docetaxel", "docetaxel"), ("cohort_a", "Cohort A")],
              row_key=["publication_arm_key"]),
        table(conn, "q_publication_populations",
              "publication_population_key text!, population_kind text, n_total integer",
              [("safety", "safety", 260), ("itt", "itt", 272)],
              row_key=["publication_population_key"]),
    )  # fmt: skip


def verdict(conn: Connection, rows: list[Any]) -> GateResult:
    judged, *others = world(conn, rows)
    return judge(conn, "safety_attribution_integrity", judged, *others, arguments=ARGUMENTS)


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_safety_attribution_own_arm_and_pooled_rows_pass(conn: Connection, given: Any) -> None:
    """Under the arm the quote names, or pooled without arm."""
    assert verdict(conn, [given]).status is Status.PASS


def test_pub_safety_attribution_of_those_randomised_blocks(conn: Connection) -> None:
    """137 instead of 129; the metadata has term, grade, arm, number and quote."""
    result = verdict(conn, [FAILING[0]])
    assert by_row(result) == {"randomised": {"safety_n_differs"}}
    assert about(result, "randomised") == (
        {"taxonomy_id": "pub_safety_attribution", "arms": 1, "withheld": []},
        {"ae_term": "Febrile neutropenia", "grade_bucket": "serious",
         "publication_arm_key": "docetaxel", "publication_population_key": "safety",
         "safety_n": 137, "affected": 13, "source_quote": FEVER},
    )  # fmt: skip
    assert GATES["safety_attribution_integrity"].taxonomy_id == "pub_safety_attribution"


def test_every_flattened_row_is_named(conn: Connection) -> None:
    """Pooled on an arm, one sentence on two arms, an arm the quote does not name, a wrong N."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "randomised": {"safety_n_differs"},
        "too_many": {"safety_n_differs"},
        "efficacy": {"population_not_safety"},
        "more": {"affected_exceeds_n"},
        "armless": {"arm_absent"},
        "guessed": {"arm_not_in_quote"},
        "quoteless": {"arm_not_in_quote"},
        "on_arm": {"pooled_on_an_arm"},
        "stateless": {"pooled_on_an_arm"},
        "fan_a": {"event_on_several_arms"},
        "fan_b": {"event_on_several_arms"},
    }


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    checked = spec("safety_attribution_integrity", judged, *others, arguments=ARGUMENTS)
    assert survivors(conn, checked) == []
