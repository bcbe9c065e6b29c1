"""endpoint_semantic_consistency (pub_endpoint_semantic_confusion): phrases name their endpoint."""

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

COLUMNS = (
    "k text!, raw_endpoint_phrase text, canonical_endpoint_key text, statistic text,"
    " confirmation_state text, source_quote text"
)
SPINE = [
    ("endpoint:PFS", "PFS", "Progression-free survival", ["endpoint:TTP", "endpoint:OS"]),
    ("endpoint:TTP", "TTP", "Time to progression", ["endpoint:PFS"]),
    ("endpoint:OS", "OS", "Overall survival", ["endpoint:PFS"]),
    ("endpoint:OR", "OR", "Odds of response", []),
    ("endpoint:ORR", "ORR", "Objective response rate", ["endpoint:cORR"]),
    ("endpoint:cORR", "cORR", "Confirmed objective response rate", ["endpoint:ORR"]),
]
PASSING = [
    ("pfs", "Median progression-free survival", "endpoint:PFS", "median"),
    ("ttp", "time to progression", "endpoint:TTP", "median"),
    ("orr", "Overall response", "endpoint:ORR", "proportion"),
    ("corr", "confirmed objective response rate", "endpoint:cORR", "proportion", "confirmed"),
    ("code", "PFS by blinded review", "endpoint:PFS", "median"),
    ("or_word", "overall survival or death", "endpoint:OS", "median"),
    ("change", "mean change in tumour size", "endpoint:TUMOUR-CHANGE", "mean"),
]
FAILING = [
    ("ttp_as_pfs", "time to progression", "endpoint:PFS", "median", None, "TTP was 4.2 months"),
    ("corr_as_orr", "confirmed objective response", "endpoint:ORR", "proportion"),
    ("mean_as_median", "mean change in tumour size", "endpoint:TUMOUR-CHANGE", "median"),
    ("median_as_mean", "median overall survival", "endpoint:OS", "mean"),
    ("shrinkage", "any tumour shrinkage", "endpoint:ORR", "proportion"),
    ("rate_as_median", "overall response", "endpoint:ORR", "median"),
    ("keyless", "overall survival", None, "median"),
    ("odds", "OR for response", "endpoint:ORR", "proportion"),
    ("unconfirmed", "unconfirmed overall response", "endpoint:ORR", "proportion", "confirmed"),
    ("not_confirmed", "confirmed objective response", "endpoint:cORR", "proportion", "unconfirmed"),
    ("unknown", "primary endpoint", "endpoint:OS", "median"),
]
BRANCHES = [
    (("statless", "median overall survival", "endpoint:OS", None), {"statistic_differs"}),
    (("response", "overall response", "endpoint:ORR", "proportion", "unconfirmed"), set()),
    (("honest", "unconfirmed overall response", "endpoint:ORR", "proportion", "unconfirmed"),
     set()),
]  # fmt: skip


def world(conn: Connection, rows: list[Any]) -> tuple[Model, Model]:
    columns = "canonical_endpoint_key text!, code text, label text, must_not_merge_with text[]"
    spine = table(conn, "q_endpoints", columns, SPINE, row_key=["canonical_endpoint_key"])
    return table(conn, "q_publication_outcomes", COLUMNS, rows), spine


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "endpoint_semantic_consistency", *world(conn, rows), **options)


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_endpoint_semantic_confusion_right_endpoints_pass(conn: Connection, given: Any) -> None:
    """By phrase, label or code; 'or' in a sentence is no odds ratio."""
    assert verdict(conn, [given]).status is Status.PASS


def test_pub_endpoint_semantic_confusion_ttp_is_not_pfs(conn: Connection) -> None:
    """The metadata has phrase, key, the endpoint it should be, the spine's evidence, the quote."""
    result = verdict(conn, [FAILING[0]])
    assert by_row(result) == {"ttp_as_pfs": {"endpoint_differs"}}
    assert about(result, "ttp_as_pfs") == (
        {"taxonomy_id": "pub_endpoint_semantic_confusion", "expected_endpoint": "endpoint:TTP",
         "expected_statistic": None, "kept_apart": True, "withheld": []},
        {"raw_endpoint_phrase": "time to progression", "canonical_endpoint_key": "endpoint:PFS",
         "statistic": "median", "source_quote": "TTP was 4.2 months"},
    )  # fmt: skip
    gate = GATES["endpoint_semantic_consistency"]
    assert gate.taxonomy_id == "pub_endpoint_semantic_confusion"


def test_every_confusion_is_named(conn: Connection) -> None:
    """cORR, shrinkage, mean and median, an invisible OR; a phrase that names none only warns."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "ttp_as_pfs": {"endpoint_differs"},
        "corr_as_orr": {"endpoint_differs"},
        "mean_as_median": {"statistic_differs"},
        "median_as_mean": {"statistic_differs"},
        "shrinkage": {"endpoint_differs"},
        "rate_as_median": {"statistic_differs"},
        "keyless": {"endpoint_differs"},
        "odds": {"endpoint_differs"},
        "unconfirmed": {"confirmation_differs"},
        "not_confirmed": {"confirmation_differs"},
        "unknown": {"~phrase_unknown"},
    }


def test_a_missing_spine_is_no_verdict(conn: Connection) -> None:
    """Without the spine nothing was compared."""
    result = verdict(conn, PASSING, missing=["q_endpoints"])
    assert (result.blocks, result.reasons["not_evaluated"]) == (True, 1)


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, spine = world(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("endpoint_semantic_consistency", judged, spine)) == []
