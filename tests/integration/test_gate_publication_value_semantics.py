"""publication_value_semantics (pub_zero_sentinel): unstated values are null, never zero."""

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
    "k text!, publication_key text, canonical_endpoint_key text, publication_population_key text,"
    " publication_arm_key text, value_num numeric, value_state text, numerator integer,"
    " denominator integer, source_quote text, provenance_bundle_key text"
)
NONE_SEEN = "No objective responses were observed (0 of 12)"
SURVIVAL = "Median overall survival was 9.2 months"


def row(key: str, value: Any, state: Any, num: Any, den: Any, quote: Any) -> tuple[Any, ...]:
    return (key, "pub:pmid:26028407", "endpoint:ORR", "pop:all", "arm:nivolumab", value, state,
            num, den, quote, "bundle:1")  # fmt: skip


PASSING = [
    row("true_zero", 0, "reported", 0, 12, NONE_SEEN),
    row("in_words", 0, "derived", 0, 12, "There were no confirmed complete responses"),
    row("as_figure", 0, "reported", 0, 12, "the rate was 0.0%"),
    row("unstated", None, "not_reported", None, None, SURVIVAL),
    row("reached", None, "not_reached", None, None, "was not reached"),
    row("stated", 20, "reported", 27, 135, "20% with nivolumab"),
]
FAILING = [
    row("sentinel", 0, "reported", None, None, SURVIVAL),
    row("decimal", 0, "reported", None, None, "hazard ratio, 0.59; 95% CI, 0.44 to 0.79"),
    row("ten", 0, "reported", None, None, "10 of 100 patients"),
    row("no_of", 0, "reported", None, None, "There was no difference in survival"),
    row("quoteless", 0, "reported", None, None, None),
    row("counts", 0, "reported", 3, 12, "0 of the patients"),
    row("no_n", 25, "reported", 3, 0, "Confirmed responses in 3 patients"),
    row("claimed", 25, "not_reported", None, None, "25%"),
    row("stateless", 25, None, None, None, "25%"),
    row("empty", None, "reported", None, None, "25%"),
]
BRANCHES = [
    (row("not_zero", 0, "not_reported", None, None, SURVIVAL), {"value_without_statement"}),
    (row("derived_zero", 0, "derived", None, None, SURVIVAL), {"zero_unstated"}),
    (row("derived_null", None, "derived", None, None, SURVIVAL), {"value_absent"}),
]


def results(conn: Connection, rows: list[Any], **keys: Any) -> Model:
    return table(conn, "q_publication_outcomes", COLUMNS, rows, **keys)


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "publication_value_semantics", results(conn, rows), **options)


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_zero_sentinel_true_zeros_and_honest_nulls_pass(conn: Connection, given: Any) -> None:
    """A zero that the quote states, and a null that says why."""
    assert verdict(conn, [given]).status is Status.PASS


def test_pub_zero_sentinel_an_unstated_value_blocks(conn: Connection) -> None:
    """ORR 0 beside a sentence about survival; every key of the seed's metadata is there."""
    result = verdict(conn, [FAILING[0]])
    assert (result.status, result.blocks) == (Status.FAIL, True)
    assert by_row(result) == {"sentinel": {"zero_unstated"}}
    assert about(result, "sentinel") == (
        {"taxonomy_id": "pub_zero_sentinel", "derivable": False, "withheld": []},
        {"publication_key": "pub:pmid:26028407", "canonical_endpoint_key": "endpoint:ORR",
         "publication_population_key": "pop:all", "publication_arm_key": "arm:nivolumab",
         "value_num": 0, "numerator": None, "denominator": None, "value_state": "reported",
         "source_quote": SURVIVAL, "provenance_bundle_key": "bundle:1", "derived_value": None},
    )  # fmt: skip
    assert GATES["publication_value_semantics"].taxonomy_id == "pub_zero_sentinel"


def test_a_derived_candidate_is_offered(conn: Connection) -> None:
    """Where counts are stated, the metadata says which value follows from them."""
    result = verdict(conn, [FAILING[5]])
    metadata, values = about(result, "counts")
    assert (metadata["derivable"], values["derived_value"]) == (True, 25.0)


def test_every_sentinel_is_named(conn: Connection) -> None:
    """Near misses among them: 0.59, 10, and 'no difference' state no zero."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "sentinel": {"zero_unstated"},
        "decimal": {"zero_unstated"},
        "ten": {"zero_unstated"},
        "no_of": {"zero_unstated"},
        "quoteless": {"zero_unstated"},
        "counts": {"zero_contradicts_counts"},
        "no_n": {"denominator_zero"},
        "claimed": {"value_without_statement"},
        "stateless": {"value_without_statement"},
        "empty": {"value_absent"},
    }


def test_quotes_of_columns_that_are_not_public_are_withheld(conn: Connection) -> None:
    """Nothing of the row is kept, and the document holds no quote either way."""
    judged = results(conn, FAILING, public=False)
    result = judge(conn, "publication_value_semantics", judged)
    assert all(not sample.values for sample in result.samples)
    assert "survival" not in repr(result.samples) + repr(result.document())
    assert "survival" not in repr(verdict(conn, FAILING).document())


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = results(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("publication_value_semantics", judged)) == []
