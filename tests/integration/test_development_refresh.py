"""A wrong fold on any layer: readers keep the last good programs, nobody else waits for them."""

from __future__ import annotations

import json

import pytest

from integration.test_refresh_cli import UserProject, generations, project

__all__ = ["project"]

STATES = "models/canonical/development_program_states.sql"
SERVED = "models/query/development/q_development_programs.sql"
RIGHT = "coalesce(states.current_phase, 'none') as current_phase"
WRONG = "states.historical_max_phase as current_phase"
QUERY = (
    "select current_phase, regulatory_state from query.q_development_programs"
    " where context_key = 'ctx:dupilumab-atopic-dermatitis-us'"
)
COMPLETED = ("none", "approved")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_wrong_fold_holds_back_development_and_nothing_else(project: UserProject) -> None:
    """A completed phase 2 is shown as current: blocked on the layer below, and on the family."""
    assert project.tidegate("refresh", "--samples").code == 0
    assert generations(project)["development"] == ("published", "g000001")
    assert project.query(QUERY) == COMPLETED

    # Below: the gate on the canonical model stops the family in the same run, and only it.
    project.replace(STATES, RIGHT, WRONG)
    with (project.folder / "samples/spines/organisations.csv").open("a", encoding="utf-8") as file:
        file.write("org:nobody,Nobody,company,,,active\n")
    answer = project.tidegate("refresh", "--samples", "--json")
    assert answer.code == 1
    outcomes = {it["family"]: it["outcome"] for it in json.loads(answer.out)["families"]}
    assert outcomes.pop("development") == "held_back"
    assert set(outcomes.values()) <= {"published", "unchanged"}
    assert outcomes["spines"] == "published"
    assert project.query(QUERY) == COMPLETED
    project.replace(STATES, WRONG, RIGHT)

    # On the family: built aside, judged in the promotion, kept as a generation that is held back.
    project.replace(SERVED, "states.current_phase,", "'phase2'::text as current_phase,")
    answer = project.tidegate("refresh", "--family", "development")
    assert answer.code == 1
    assert "development_program_semantics on q_development_programs" in answer.out
    assert "fold_differs (4)" in answer.out
    assert project.query(QUERY) == COMPLETED
    assert generations(project)["development"][1] == "g000001"
    project.replace(SERVED, "'phase2'::text as current_phase,", "states.current_phase,")
    assert project.tidegate("refresh", "--family", "development").code == 0
    assert project.query(QUERY) == COMPLETED
    assert generations(project)["development"][1] != "g000001"
