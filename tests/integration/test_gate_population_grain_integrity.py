"""population_grain_integrity (pub_population_denominator_misattribution): each N is its own.

NCT01642004: 135 patients, 42 of them with PD-L1 of at least 5 %.
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

COLUMNS = (
    "publication_population_key text!, publication_key text, population_label text,"
    " population_kind text, parent_population_key text, segment_key text, n_total integer,"
    " n_basis text, stated_n integer, source_quote text"
)
STATED, SUB, QUOTE = "stated_for_this_population", "biomarker_subgroup", "PD-L1 5% or more (n=42)"
ARGUMENTS = {"columns": {"stated_n": "stated_n"}}


def part(key: str, n: Any, basis: Any, stated: Any = None, quote: Any = QUOTE, *,
         label: str = "PD-L1 positive", kind: str = SUB) -> tuple[Any, ...]:  # fmt: skip
    return (key, "P1", label, kind, "all", "seg:pdl1", n, basis, stated, quote)


PARENTS = [
    ("all", "P1", "All randomised", "itt", None, "seg:nsclc", 135, STATED, None,
     "135 patients were randomised"),
    ("big", "P1", "All screened", "itt", None, None, 1352, STATED, None, "1,352 were screened"),
    ("all", "P2", "All treated", "itt", None, None, 20, STATED, None, "20 were treated"),
]  # fmt: skip
PASSING = [
    part("own", 42, STATED, 42),
    part("nothing", None, "not_stated"),
    part("same_n", 135, STATED, 135, "PD-L1 was positive in all 135"),
    part("safety", 135, "derived", None, "safety in PD-L1 tested", kind="safety"),
]
FAILING = [
    part("inherited", 135, "inherited_parent", None),
    part("copied", 135, "not_stated"),
    part("tested", 117, "tested_only"),
    part("differs", 42, "derived", 41),
    part("share", 42, STATED, None, "PD-L1 in 42% of patients"),
    part("decimal", 42, STATED, None, "PD-L1 hazard ratio 0.42 or 42.5"),
    part("inside", 42, STATED, None, "PD-L1 in 142 patients"),
    part("quoteless", 42, STATED, None, None, label=""),
    part("too_many", 150, STATED, None, "PD-L1 (n=150)"),
    part("fake", 20, STATED, None, "all 20 treated patients", label="squamous"),
]
BRANCHES = [
    (part("other_n", 130, "inherited_parent"), {"n_inherited"}),
    (part("tested_all", 117, "tested_only", kind="safety"), set()),
    (part("baseless", 135, None), {"n_inherited"}),
    (part("clinical", 135, "derived", kind="clinical_subgroup"), {"n_inherited"}),
    (part("tested_clinical", 117, "tested_only", kind="clinical_subgroup"),
     {"n_of_those_tested"}),
]  # fmt: skip


def populations(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "q_publication_populations", COLUMNS, [*PARENTS, *rows],
                 row_key=["publication_population_key"])  # fmt: skip


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    options.setdefault("arguments", ARGUMENTS)
    return judge(conn, "population_grain_integrity", populations(conn, rows), **options)


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_population_denominator_own_n_passes(conn: Connection, given: Any) -> None:
    """The N of the population itself, as its quote states it, or none."""
    assert verdict(conn, [given]).status is Status.PASS


def test_pub_population_denominator_of_the_parent_blocks(conn: Connection) -> None:
    """135 under a subgroup of 42; the metadata has both keys and both numbers."""
    result = verdict(conn, [FAILING[0]])
    assert by_row(result) == {"inherited": {"n_inherited"}}
    assert about(result, "inherited") == (
        {"taxonomy_id": "pub_population_denominator_misattribution", "parent_n": 135,
         "withheld": []},
        {"publication_population_key": "inherited", "n_total": 135,
         "n_basis": "inherited_parent", "parent_population_key": "all",
         "segment_key": "seg:pdl1", "source_quote": QUOTE},
    )  # fmt: skip
    gate = GATES["population_grain_integrity"]
    assert gate.taxonomy_id == "pub_population_denominator_misattribution"


def test_every_misattribution_is_named(conn: Connection) -> None:
    """Tested as positive, another N than stated, a share as N, more than all, a fake population."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "inherited": {"n_inherited"},
        "copied": {"n_inherited"},
        "tested": {"n_of_those_tested"},
        "differs": {"n_differs"},
        "share": {"n_not_in_quote"},
        "decimal": {"n_not_in_quote"},
        "inside": {"n_not_in_quote"},
        "quoteless": {"n_not_in_quote", "label_not_in_source"},
        "too_many": {"n_exceeds_parent"},
        "fake": {"label_not_in_source"},
    }


def test_the_n_of_the_parent_is_withheld_where_it_is_not_public(conn: Connection) -> None:
    """A number of the parent is a value as well."""
    populations(conn, FAILING)
    judged = table(conn, "q_publication_populations", COLUMNS, [*PARENTS, FAILING[0]],
                   row_key=["publication_population_key"], public=False)  # fmt: skip
    result = judge(conn, "population_grain_integrity", judged)
    assert "parent_n" not in result.samples[0].metadata
    assert "135" not in repr(result.samples)


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = populations(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    checked = spec("population_grain_integrity", judged, arguments=ARGUMENTS)
    assert survivors(conn, checked) == []
