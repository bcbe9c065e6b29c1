"""The fold of development milestones: the SQL and an independent one in Python agree."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import development_oracle as oracle
from development_oracle import Milestone, State
from tidegate.connection import Connection
from tidegate.macros import render

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


def folded(
    conn: Connection, milestones: Sequence[Milestone], query: str, fold: str | None = None
) -> list[Any]:
    """What the SQL makes of the milestones."""
    given_rows = [
        {"c": one.context, "a": one.axis, "v": one.value, "t": one.trial, "m": one.truth,
         "d": one.day and str(one.day), "o": f"{one.observed} 12:00:00+00"}
        for one in milestones
    ]  # fmt: skip
    statement = f"{INPUT} {fold or render('development_fold', AXES)} {query}"
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


def some_worlds(number: int) -> list[Milestone]:
    """The same many contexts in every run."""
    chosen = random.Random(20)  # noqa: S311
    values = [(axis, it) for axis, steps in AXES.items() for it in steps[1:]]
    values += [("clinical_activity", it) for it in (*oracle.ACTIVE, "withdrawn", "completed")] * 3
    values += [("ownership", it) for it in ("org:a", "org:B", "org:c")]
    milestones = []
    for world in range(number):
        for _ in range(chosen.randint(1, 9)):
            axis, value = chosen.choice(values)
            day = date(2020, 1, 1) + timedelta(days=chosen.randint(0, 7))
            milestones.append(
                Milestone(
                    f"c{world}", axis, value,
                    chosen.choice(["t1", "t2", None]) if AXES.get(axis) else None,
                    day if chosen.random() < 0.8 else None,
                    date(2020, 1, 1) + timedelta(days=chosen.randint(0, 7)),
                    "announced" if chosen.random() < 0.15 else "confirmed",
                )
            )  # fmt: skip
    return milestones


MUTANTS = (
    ("milestones.truth_mode = 'confirmed'", "true"),
    ("coalesce(milestones.source_trial_key, '')", "''"),
    ("milestones.milestone_date as dated", "milestones.observed_at::date as dated"),
    ("seen.dated desc nulls last, seen.rank desc, seen.axis_value",
     "seen.dated desc nulls first, seen.rank desc, seen.axis_value"),
    ("seen.dated desc nulls last, seen.rank desc, seen.axis_value",
     "seen.dated desc nulls last, seen.rank, seen.axis_value"),
    ("order by seen.since, seen.rank", "order by seen.since desc, seen.rank"),
    ("order by seen.since, seen.rank", "order by seen.since, seen.rank desc"),
    ("seen.rank desc, seen.axis_value) filter (where seen.axis = 'phase'",
     "seen.rank, seen.axis_value) filter (where seen.axis = 'phase'"),
    ("trials.next_activity <> 'withdrawn'", "true"),
    ("trials.next_activity <> 'withdrawn'", "false"),
    ("trials.activity is null and", ""),
    ("trials.preference is not null or", "true or"),
    ("trials.phase is not null and trials.activity is distinct from 'withdrawn'",
     "trials.phase is not null"),
    ("trials.activity <> 'withdrawn'", "true"),
    ("array['recruiting', 'active_not_recruiting', 'planned', 'suspended']",
     "array['recruiting', 'planned', 'active_not_recruiting', 'suspended']"),
    ("array['recruiting', 'active_not_recruiting', 'planned', 'suspended']",
     "array['recruiting', 'active_not_recruiting', 'planned']"),
    ("trials.activity_date desc nulls last, trials.activity_rank desc",
     "trials.activity_date desc nulls first, trials.activity_rank desc"),
    ("trials.activity_date desc nulls last, trials.activity_rank desc",
     "trials.activity_date desc nulls last, trials.activity_rank"),
    ("max(trials.activity)", "null"),
    ('seen.dated desc nulls last, seen.axis_value collate "C"', "seen.axis_value"),
    ("array_agg(seen.axis_value order by seen.rank desc, seen.axis_value) filter"
     " (where seen.axis = 'regulatory'",
     "array_agg(seen.axis_value order by seen.rank) filter (where seen.axis = 'regulatory'"),
    ("seen.axis = 'regulatory' and seen.since <= seen.moment", "seen.axis = 'regulatory'"),
    ("is distinct from lag(fold_values.axis_value) over in_time",
     "is distinct from null::text"),
    ("where fold_steps.axis_value is not null", ""),
)  # fmt: skip


def test_each_part_of_the_fold_counts(conn: Connection) -> None:
    """With any of them changed, the oracle disagrees."""
    first, last = date(2020, 1, 1), date(2020, 1, 9)
    milestones = [
        *some_worlds(400),
        Milestone("one day", "phase", "phase2", "t1", first, first),
        Milestone("one day", "clinical_activity", "recruiting", "t1", last, last),
        Milestone("one day", "clinical_activity", "withdrawn", "t1", last, last),
    ]
    expected = (oracle.states(milestones), oracle.history(milestones))
    fold = re.sub(r"\s+", " ", re.sub(r"--.*", "", render("development_fold", AXES)))
    fold = fold.replace("( ", "(").replace(" )", ")")
    assert judged(conn, milestones, fold) == expected
    assert [part for part, _ in MUTANTS if part not in fold] == []
    assert [
        (part, mutant)
        for part, mutant in MUTANTS
        if judged(conn, milestones, fold.replace(part, mutant)) == expected
    ] == []


def judged(conn: Connection, milestones: Sequence[Milestone], fold: str) -> Any:
    rows = folded(conn, milestones, STATES, fold)
    told = {tuple(row) for row in folded(conn, milestones, HISTORY, fold)}
    return {row[0]: State(*row[1:]) for row in rows}, told


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
