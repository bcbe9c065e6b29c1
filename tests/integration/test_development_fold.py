"""The fold of development milestones: the SQL and an independent one in Python agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import development_oracle as oracle
from development_oracle import Milestone, State
from tidegate.macros import render

Connection = psycopg.Connection[tuple[Any, ...]]
AXES = json.loads(render("development_program_semantics_arguments"))["options"]["axes"]
INPUT = (
    "with milestones as (select given ->> 'c' as context_key, given ->> 'a' as axis,"
    " given ->> 'v' as axis_value, given ->> 't' as source_trial_key,"
    " (given ->> 'd')::date as milestone_date, (given ->> 'o')::timestamptz as observed_at,"
    " given ->> 'm' as truth_mode from jsonb_array_elements(%s::jsonb) as given),"
)
STATES = (
    "select context_key, current_phase, clinical_activity, regulatory_state,"
    " owner_organisation_key, historical_max_phase, historical_max_regulatory"
    " from fold_states where moment = 'infinity'"
)
HISTORY = "select context_key, axis, axis_value, valid_from, valid_to from fold_intervals"


def folded(conn: Connection, milestones: Sequence[Milestone], query: str) -> list[Any]:
    """What the SQL makes of the milestones."""
    given_rows = [
        {"c": one.context, "a": one.axis, "v": one.value, "t": one.trial, "m": one.truth,
         "d": one.day and str(one.day), "o": f"{one.observed} 12:00:00+00"}
        for one in milestones
    ]  # fmt: skip
    statement = f"{INPUT} {render('development_fold', AXES)} {query}"
    return conn.execute(statement.encode(), [json.dumps(given_rows)]).fetchall()


def states(conn: Connection, milestones: Sequence[Milestone]) -> dict[str, State]:
    return {row[0]: State(*row[1:]) for row in folded(conn, milestones, STATES)}


def history(conn: Connection, milestones: Sequence[Milestone]) -> set[oracle.Interval]:
    return {tuple(row) for row in folded(conn, milestones, HISTORY)}


def test_the_oracle_and_the_gate_know_the_same_axes() -> None:
    """One order of values, written down twice on purpose."""
    assert {axis: tuple(steps) for axis, steps in AXES.items()} == oracle.RISING


DAYS = st.integers(0, 9).map(lambda day: date(2020, 1, 1) + timedelta(days=day))
VALUES = st.one_of(
    *(st.tuples(st.just(axis), st.sampled_from(steps[1:])) for axis, steps in AXES.items()),
    st.tuples(st.just("clinical_activity"), st.sampled_from(AXES["clinical_activity"][1:])),
    st.tuples(st.just("ownership"), st.sampled_from(["org:a", "org:b", "org:C"])),
)


@st.composite
def a_milestone(draw: Any) -> Milestone:
    """Any event of three contexts and three trials, few days apart, some without trial or day."""
    axis, value = draw(VALUES)
    trial = None
    if axis in ("phase", "clinical_activity"):
        trial = draw(st.sampled_from(["t1", "t2", "t3", None]))
    return Milestone(
        draw(st.sampled_from("abc")), axis, value, trial, draw(st.none() | DAYS | DAYS),
        draw(DAYS), draw(st.sampled_from(["confirmed", "confirmed", "announced"])),
    )  # fmt: skip


# Contexts are folded apart from each other, so that one statement judges several examples.
WORLD = st.lists(st.lists(a_milestone(), max_size=14), min_size=1, max_size=12)


def apart(world: list[list[Milestone]]) -> list[Milestone]:
    return [
        one._replace(context=f"{number}{one.context}")
        for number, milestones in enumerate(world)
        for one in milestones
    ]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(world=WORLD)
def test_the_sql_folds_as_the_oracle_does(conn: Connection, world: list[list[Milestone]]) -> None:
    """States now and the whole history, of hundreds of contexts."""
    milestones = apart(world)
    assert states(conn, milestones) == oracle.states(milestones)
    assert history(conn, milestones) == oracle.history(milestones)


@pytest.mark.long
@settings(
    max_examples=3000,
    deadline=None,
    derandomize=False,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(world=WORLD)
def test_the_sql_folds_as_the_oracle_does_in_the_long_run(
    conn: Connection, world: list[list[Milestone]]
) -> None:
    """Thousands of new worlds in every run."""
    milestones = apart(world)
    assert states(conn, milestones) == oracle.states(milestones)
    assert history(conn, milestones) == oracle.history(milestones)
