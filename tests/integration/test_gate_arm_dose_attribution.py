"""arm_dose_attribution (pub_arm_dose_attribution): doses and values under their own arm."""

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

ARMS = (
    "publication_arm_key text!, publication_key text, source_arm_label text, dose_value numeric,"
    " dose_unit text, is_rp2d boolean, source_quote text"
)
OUTCOMES = (
    "publication_outcome_key text!, publication_key text, publication_arm_key text,"
    " publication_population_key text, canonical_endpoint_key text, value_num numeric,"
    " source_quote text"
)
NIVOLUMAB = "nivolumab, at a dose of 3 mg per kilogram of body weight every 2 weeks"
DOCETAXEL = "docetaxel, at a dose of 75 mg per square meter every 3 weeks"
PASSING = [
    ("nivo", "P1", "nivolumab", 3, "mg/kg", False, NIVOLUMAB),
    ("doce", "P1", "Docetaxel", 75.0, "mg/m2", False, DOCETAXEL),
    ("gram", "P1", "capecitabine", 1200, "mg", None, "capecitabine 1,200 mg twice daily"),
    ("half", "P1", "drug a", 0.5, "mg", None, "drug a, 0.50-mg tablets"),
    ("open", "P3", "cohort 1", None, None, True, "cohort 1 (RP2D)"),
    ("other_unit", "P3", "vaccine", 2, "x10^6 cells", False, "vaccine: 2 x10^6 cells"),
]
FAILING = [
    ("weeks", "P1", "docetaxel", 3, "mg/m2", False, DOCETAXEL),
    ("unit", "P1", "docetaxel", 75, "mg", False, DOCETAXEL),
    ("digit", "P1", "docetaxel", 5, "mg/m2", False, DOCETAXEL),
    ("decimal", "P1", "drug a", 5, "mg", False, "drug a, 0.5 mg"),
    ("quoteless", "P1", None, 5, "mg", False, None),
    ("unitless", "P1", "docetaxel", 75, None, False, DOCETAXEL),
    ("rp_a", "P2", "cohort 1", 100, "mg", True, "cohort 1: 100 mg"),
    ("rp_b", "P2", "cohort 2", 200, "mg", True, "cohort 2: 200 mg"),
    ("fake", "P2", "cohort 3", None, None, False, "patients of cohorts 1 and 2"),
]
RATE = "the response rate was 35%"
GOOD = [
    ("own", "P1", "nivo", "pop", "endpoint:ORR", 20, "20% with nivolumab and 9% with docetaxel"),
    ("own_too", "P1", "doce", "pop", "endpoint:ORR", 9, "20% with nivolumab and 9% with docetaxel"),
    ("pooled", "P1", None, "pop", "endpoint:OS", 9, "all patients"),
    ("same", "P1", "nivo", "pop2", "endpoint:ORR", 20, "20% with nivolumab and 9% with docetaxel"),
]
BAD = [
    ("fan_a", "P2", "rp_a", "pop", "endpoint:ORR", 35, RATE),
    ("fan_b", "P2", "rp_b", "pop", "endpoint:ORR", 35, RATE),
    ("lost", "P2", None, "pop", "endpoint:ORR", 36, "36% at the RP2D"),
]
BRANCHES = [
    (("other_paper", "P9", "rp_a", "pop", "endpoint:ORR", 35, RATE), set()),
    (("other_population", "P2", "rp_a", "pop2", "endpoint:ORR", 35, RATE), set()),
    (("other_endpoint", "P2", "rp_a", "pop", "endpoint:DCR", 35, RATE), set()),
    (("other_value", "P2", "rp_a", "pop", "endpoint:ORR", 36, RATE), set()),
    (("other_quote", "P2", "rp_a", "pop", "endpoint:ORR", 35, "35% of them responded"), set()),
    (("in_cohort", "P2", "rp_a", "pop", "endpoint:ORR", 37, "37% in cohort 1"), set()),
    (("fan_a", "P2", "rp_a", "pop", "endpoint:ORR", 35, RATE), {"value_on_several_arms"}),
    (("fan_b", "P2", "rp_b", "pop", "endpoint:ORR", 35, RATE), {"value_on_several_arms"}),
]  # fmt: skip


def world(conn: Connection, arms: list[Any], outcomes: list[Any]) -> tuple[Model, Model]:
    return (
        table(conn, "q_publication_arms", ARMS, arms, row_key=["publication_arm_key"]),
        table(conn, "q_publication_outcomes", OUTCOMES, outcomes,
              row_key=["publication_outcome_key"]),
    )  # fmt: skip


def verdict(conn: Connection, arms: list[Any], outcomes: list[Any]) -> GateResult:
    return judge(conn, "arm_dose_attribution", *world(conn, arms, outcomes))


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_arm_dose_attribution_own_doses_pass(conn: Connection, given: Any) -> None:
    """Number and unit stand together in the arm's quote, in any usual spelling."""
    assert verdict(conn, [given], []).status is Status.PASS


def test_pub_arm_dose_attribution_every_3_weeks_is_no_dose_of_3(conn: Connection) -> None:
    """The near miss: the number is in the sentence, as weeks; siblings' doses are shown."""
    result = verdict(conn, [PASSING[0], FAILING[0]], [])
    assert by_row(result) == {"weeks": {"dose_not_in_quote"}}
    assert about(result, "weeks") == (
        {"taxonomy_id": "pub_arm_dose_attribution", "sibling_doses": [3],
         "withheld": ["intervention_key"]},
        {"source_arm_label": "docetaxel", "publication_arm_key": "weeks", "dose_value": 3,
         "dose_unit": "mg/m2", "source_quote": DOCETAXEL},
    )  # fmt: skip
    assert GATES["arm_dose_attribution"].taxonomy_id == "pub_arm_dose_attribution"


def test_every_wrong_arm_is_named(conn: Connection) -> None:
    """Another unit, a part of a number, half a dose, two recommended doses, a fake arm."""
    assert by_row(verdict(conn, [*PASSING, *FAILING], GOOD)) == {
        "weeks": {"dose_not_in_quote"},
        "unit": {"dose_not_in_quote"},
        "digit": {"dose_not_in_quote"},
        "decimal": {"dose_not_in_quote"},
        "quoteless": {"dose_not_in_quote"},
        "unitless": {"dose_incomplete"},
        "rp_a": {"rp2d_on_several_arms"},
        "rp_b": {"rp2d_on_several_arms"},
        "fake": {"arm_not_in_source"},
    }


def test_one_sentence_gives_its_value_to_one_arm(conn: Connection) -> None:
    """A value fanned out to all arms, and one that lost its arm."""
    result = verdict(conn, PASSING, [*GOOD, *BAD])
    assert by_row(result) == {
        "fan_a": {"value_on_several_arms"},
        "fan_b": {"value_on_several_arms"},
        "lost": {"value_without_its_arm"},
    }
    assert about(result, "fan_a")[0] == {"taxonomy_id": "pub_arm_dose_attribution", "arms": 2}


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """One sentence is one value of one paper, population and endpoint."""
    assert by_row(verdict(conn, PASSING, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, outcomes = world(conn, [*PASSING, *FAILING], [*GOOD, *BAD, *alone(BRANCHES)])
    assert survivors(conn, spec("arm_dose_attribution", judged, outcomes)) == []
