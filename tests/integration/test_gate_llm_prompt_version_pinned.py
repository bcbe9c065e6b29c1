"""llm_prompt_version_pinned: which revisions of task and profile a route uses."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.inference_records import records
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

ROUTES = (
    "route_id text!, route_revision integer, task_id text, contract_revision integer,"
    " profile_id text, profile_revision integer, is_active boolean, owner text"
)
TASK = "pub_outcome"
CASES = {
    "active": (1, TASK, 4, "p", 2, True, "pubs"),
    "retained": (1, TASK, 3, "p", 2, False, "pubs"),
    "asleep": (1, TASK, None, "p", None, False, None),
    "floating": (1, TASK, None, "p", 2, True, "pubs"),
    "no_profile": (1, TASK, 4, "p", None, True, "pubs"),
    "no_route": (None, TASK, 4, "p", 2, True, "pubs"),
    "not_kept": (1, TASK, 2, "p", 2, True, "pubs"),
    "no_task": (1, "other_task", 4, "p", 2, True, "pubs"),
    "profile_gone": (1, TASK, 4, "p", 9, True, "pubs"),
    "other_profile": (1, TASK, 4, "q", 2, True, "pubs"),
    "unsaid": (1, TASK, 2, "p", 2, None, "pubs"),
    "in_flight": (1, TASK, 2, "p", 2, False, "pubs"),
    "no_owner": (1, TASK, 4, "p", 2, True, " "),
}
EXPECTED = {
    "floating": {"revision_floating"}, "no_profile": {"revision_floating"},
    "no_route": {"revision_floating"}, "not_kept": {"contract_not_retained"},
    "no_task": {"contract_not_retained"}, "profile_gone": {"profile_not_retained"},
    "other_profile": {"profile_not_retained"},
    "unsaid": {"contract_not_retained"}, "in_flight": {"contract_not_retained"},
    "no_owner": {"~task_owner_missing"},
}  # fmt: skip
ATTEMPTS = [
    ("a1", "k", "p", 2, "retained", 1, None, None, None, None),
    ("a2", "k", "p", 2, "in_flight", 1, None, None, None, None),
    ("a3", "k", "p", 2, "asleep", 1, True, None, 0.1, "2024-01-01"),
    ("a4", "k", "p", 2, "asleep", 2, None, None, None, None),
]


def tables(conn: Connection, *names: str, public: bool = True) -> tuple[Model, ...]:
    rows = [(name, *CASES[name]) for name in names or CASES]
    routes = table(conn, "routes", ROUTES, rows, row_key=["route_id"], public=public)
    profiles = [("p", 2)]
    kept = records(conn, {"inference_profiles": profiles, "inference_attempts": ATTEMPTS})
    return routes, *kept.values()


def judged(conn: Connection, *names: str, public: bool = True, **options: Any) -> GateResult:
    return judge(conn, "llm_prompt_version_pinned", *tables(conn, *names, public=public), **options)


def test_an_active_route_with_pinned_revisions_passes(conn: Connection) -> None:
    """Task contract, profile and route itself have a revision that is kept."""
    assert judged(conn, "active").status is Status.PASS


def test_a_missing_revision_blocks(conn: Connection) -> None:
    """Whichever of the three floats is named."""
    result = judged(conn, "floating", "no_profile", "no_route")
    assert by_row(result) == {
        name: {"revision_floating"} for name in ("floating", "no_profile", "no_route")
    }
    assert about(result, "floating") == (
        {"missing": ["contract_revision"], "in_flight": False, "withheld": []},
        {"task_id": TASK, "profile_id": "p", "owner": "pubs", "route_revision": "1",
         "contract_revision": None, "profile_revision": "2"},
    )  # fmt: skip
    assert about(result, "no_route")[0]["missing"] == ["route_revision"]
    assert result.remediation_hint.startswith("Pin the revisions on the route")


def test_an_in_flight_route_on_a_retained_revision_passes(conn: Connection) -> None:
    """Retired, no longer active, still kept: what is under way may end. A lost one blocks."""
    assert judged(conn, "retained").status is Status.PASS
    result = judged(conn, "in_flight")
    assert by_row(result) == {"in_flight": {"contract_not_retained"}}
    assert about(result, "in_flight")[0]["in_flight"] is True


def test_every_route_has_its_verdict(conn: Connection) -> None:
    """A route that nobody uses is not judged; one of which nothing is said counts as active."""
    result = judged(conn)
    assert by_row(result) == EXPECTED
    assert (result.rows_checked, result.rows_failing, result.rows_warning) == (13, 9, 1)


def test_an_owner_that_is_missing_warns(conn: Connection) -> None:
    """Somebody has to be asked; nothing is withheld for it."""
    result = judged(conn, "no_owner")
    assert (result.status, result.blocks) == (Status.WARN, False)


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave: names only."""
    (sample,) = judged(conn, "floating", public=False).samples
    assert (sample.row_key, sample.values) == (None, {})
    assert sample.metadata["missing"] == ["contract_revision"]


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    routes, *others = tables(conn)
    assert survivors(conn, spec("llm_prompt_version_pinned", routes, *others)) == []
