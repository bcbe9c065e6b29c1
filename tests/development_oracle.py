"""An independent fold of development milestones: plain Python, one context and one day at a time.

It shares nothing with the SQL but the words of the rule (docs/domain.md, "Development programs").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

ACTIVE = ("recruiting", "active_not_recruiting", "planned", "suspended")
"""From the best to the least."""

RISING = {
    "phase": (
        "none", "unknown", "preclinical", "early_phase1", "phase1", "phase1_2", "phase2",
        "phase2_3", "phase3", "phase4",
    ),
    "clinical_activity": (
        "none", "unknown", "planned", "recruiting", "active_not_recruiting", "completed",
        "suspended", "terminated", "withdrawn",
    ),
    "regulatory": (
        "none", "unknown", "submitted", "under_review", "refused", "approval_withdrawn",
        "conditionally_approved", "approved",
    ),
}  # fmt: skip


class Milestone(NamedTuple):
    """One dated event on one axis of one context."""

    context: str
    axis: str
    value: str
    trial: str | None
    day: date | None
    observed: date
    truth: str = "confirmed"

    @property
    def since(self) -> date:
        """The day from which it counts."""
        return self.day or self.observed


class State(NamedTuple):
    """What is so of a context at one moment."""

    phase: str
    activity: str
    regulatory: str
    owner: str | None
    highest_phase: str
    highest_regulatory: str


NOTHING = State("none", "none", "none", None, "none", "none")
Interval = tuple[str, str, str, date, date | None]
"""Context, axis, value, first day, first day after."""


def rank(axis: str, value: str) -> int:
    """How far up its axis a value stands."""
    return RISING[axis].index(value)


def last(milestones: Iterable[Milestone]) -> Milestone | None:
    """The latest: undated ones are older than any day; of one day, the higher one is later."""
    found: Milestone | None = None
    for one in milestones:
        if found is None or later(one, found):
            found = one
    return found


def later(one: Milestone, other: Milestone) -> bool:
    if one.day != other.day:
        return other.day is None or (one.day is not None and one.day > other.day)
    if one.axis == "ownership":
        return one.value < other.value
    return rank(one.axis, one.value) > rank(other.axis, other.value)


def highest(axis: str, values: Iterable[str]) -> str:
    """The value that stands highest, `none` where there is none."""
    return max(values, key=lambda value: rank(axis, value), default="none")


def fold(milestones: Sequence[Milestone], moment: date | None) -> State:
    """The state of the one context at the end of a day; None: now."""
    confirmed = [one for one in milestones if one.truth == "confirmed"]
    due = [one for one in confirmed if moment is None or one.since <= moment]
    phases, ends, started = [], [], []
    best: list[str] = []
    only_withdrawn = False
    for trial in {one.trial or "" for one in confirmed}:
        own = [one for one in due if (one.trial or "") == trial]
        reached = [one.value for one in own if one.axis == "phase"]
        now = last(one for one in own if one.axis == "clinical_activity")
        coming = sorted(
            (one.since, rank(one.axis, one.value), one.value)
            for one in confirmed
            if one not in due and one.axis == "clinical_activity" and (one.trial or "") == trial
        )
        if now is None or now.value != "withdrawn":
            started += reached
        if now is None:
            if coming and coming[0][2] != "withdrawn":
                phases += reached
        elif now.value in ACTIVE:
            phases += reached
            best.append(now.value)
        elif now.value == "withdrawn":
            only_withdrawn = True
        else:
            ends.append(now)
    activity = "withdrawn" if only_withdrawn else "none"
    if best:
        activity = min(best, key=ACTIVE.index)
    elif ends:
        found = last(ends)
        activity = found.value if found else activity
    regulatory = last(one for one in due if one.axis == "regulatory")
    owner = last(one for one in due if one.axis == "ownership")
    return State(
        highest("phase", phases),
        activity,
        regulatory.value if regulatory else "none",
        owner.value if owner else None,
        highest("phase", started),
        highest("regulatory", (one.value for one in due if one.axis == "regulatory")),
    )


def states(milestones: Iterable[Milestone]) -> dict[str, State]:
    """The state of each context now; of those with no confirmed milestone, none."""
    found: dict[str, list[Milestone]] = {}
    for one in milestones:
        found.setdefault(one.context, []).append(one)
    return {
        context: fold(own, None)
        for context, own in found.items()
        if any(one.truth == "confirmed" for one in own)
    }


def history(milestones: Iterable[Milestone]) -> set[Interval]:
    """Intervals of each axis of each context, day by day on which something happened."""
    found: dict[str, list[Milestone]] = {}
    for one in milestones:
        if one.truth == "confirmed":
            found.setdefault(one.context, []).append(one)
    told: set[Interval] = set()
    for context, own in found.items():
        days = sorted({one.since for one in own})
        for number, axis in enumerate(("phase", "clinical_activity", "regulatory", "ownership")):
            current: tuple[str, date] | None = None
            for day in days:
                value = fold(own, day)[number]
                value = None if value == "none" else value
                if current and current[0] != value:
                    told.add((context, axis, *current, day))
                    current = None
                if value and not current:
                    current = (value, day)
            if current:
                told.add((context, axis, *current, None))
    return told
