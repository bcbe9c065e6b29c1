"""Delivery volume: how many records, against what earlier runs let expect.

Counts are compared as logarithms, so that half and double are equally far. Where the weekday or a
trend explains the history better than a level alone, it is used. A deviation is an anomaly only if
it is beyond the runs' own spread, beyond 5 % of the expected count, and beyond what counting alone
makes of it (a feed of three records a day may have none).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from tidegate.detection.robust import (
    WINDOW,
    median_without,
    rises_or_falls,
    slope,
    spread,
)

DEVIATIONS = 3.0
"""So many standard deviations are normal."""
COUNTING = 3.5
"""The same for what counting alone makes of a number of records."""
LEAST_SPREAD = 0.05
"""The standard deviation taken for granted, as a share of the count: a constant history does not
make every change an anomaly, and nothing is ever divided by zero."""
IMPROBABLE = 0.01
"""How improbable it has to be that counts are so steady by chance."""
SEASON_GAIN = 0.75
"""The spread that weekdays must leave of the level's, to be believed."""
SAME_WEEKDAY = 3
"""Runs of the same weekday that make a weekday's level."""
DAYS_OF_A_WEEK = 7


@dataclass(frozen=True)
class Point:
    """Records of one run and its day."""

    day: date
    count: int


@dataclass(frozen=True)
class Expectation:
    """What is expected: a count, and the limits of what is normal (0 to infinity)."""

    count: float
    low: float
    high: float

    def fits(self, count: int) -> bool:
        """Whether a count is normal."""
        return self.low <= count <= self.high


def expect(series: Sequence[Point], day: date) -> Expectation | None:
    """What a delivery of `day` should bring after `series`; None where no run compares.

    The series must not be empty.
    """
    weekday = day.weekday()
    alike = [point.count for point in series if point.day.weekday() == weekday]
    if not alike and _never_on_this_weekday(series):
        return None
    logs = [math.log1p(point.count) for point in series]
    days = [point.day.weekday() for point in series]
    centre, width = plain = _level(logs[-WINDOW:])
    if len(alike) >= SAME_WEEKDAY:
        centre, width = _by_weekday(logs, days, weekday, plain)
        alike = []
    seasonal = (centre, width) != plain
    steady = steadier_than_chance(
        [(day if seasonal else 0, point.count) for day, point in zip(days, series, strict=True)]
    )
    found = _limits(centre, width, steady=steady)
    # One or two runs of this weekday make no season, but what fits them is no anomaly either.
    noise = min(max(width, 2 * LEAST_SPREAD), _week_to_week(logs, days)) if alike else 0.0
    for count in alike:
        near = _limits(math.log1p(count), noise, steady=steady)
        found = Expectation(found.count, min(found.low, near.low), max(found.high, near.high))
    return found


def _never_on_this_weekday(series: Sequence[Point]) -> bool:
    """A feed that had a week's time to deliver on this weekday and did not, as yet seldom seen."""
    weekdays = {point.day.weekday() for point in series}
    span = (series[-1].day - series[0].day).days
    return len(weekdays) >= 4 and span >= DAYS_OF_A_WEEK and len(series) < 3 * DAYS_OF_A_WEEK


def _level(logs: Sequence[float]) -> tuple[float, float]:
    """Where the next value is expected, and the spread: by level, or by trend where one is."""
    middle = median(logs)
    width = spread([value - middle for value in logs])
    if len(logs) < 2 * DAYS_OF_A_WEEK or not rises_or_falls(logs):
        return middle, width
    steep = slope(logs)
    flat = [value - steep * place for place, value in enumerate(logs)]
    start = median(flat)
    narrow = spread([value - start for value in flat])
    if narrow >= width:
        return middle, width
    return start + steep * len(logs), narrow


def _by_weekday(
    logs: Sequence[float], days: Sequence[int], weekday: int, plain: tuple[float, float]
) -> tuple[float, float]:
    """By weekday, if that explains the history better than without.

    Each run is compared with the other runs of its weekday, never with itself: three runs would
    always explain themselves.
    """
    common = Counter(days)
    groups = {
        day: sorted(value for value, its in zip(logs, days, strict=True) if its == day)
        for day in common
    }
    middle = median(logs)
    left = [
        value - median_without(groups[day], value) + middle
        for value, day in zip(logs, days, strict=True)
        if common[day] >= SAME_WEEKDAY
    ]
    centre, width = _level(left[-WINDOW:])
    if width >= SEASON_GAIN * plain[1]:
        return plain
    return centre + median(groups[weekday]) - middle, width


def steadier_than_chance(counts: Sequence[tuple[int, int]]) -> bool:
    """Whether counts, each with its group, vary less than records that come by chance would.

    A table of reference data has the same number of records every day; then what counting alone
    makes of a number says nothing. Four times the squared distance of the roots is about
    chi-squared; its lower tail is bounded by Chernoff's inequality.
    """
    groups: dict[int, list[float]] = {}
    for group, count in counts[-WINDOW:]:
        groups.setdefault(group, []).append(math.sqrt(count))
    freedom = sum(map(len, groups.values())) - len(groups)
    centres = {group: median(roots) for group, roots in groups.items()}
    if freedom < 1 or not all(centres.values()):
        return False
    total = sum(
        4 * (root - centres[group]) ** 2 for group, roots in groups.items() for root in roots
    )
    if total >= freedom:
        return False
    bound = math.pow(total / freedom, freedom / 2) * math.exp((freedom - total) / 2)
    return bound < IMPROBABLE


def _week_to_week(logs: Sequence[float], days: Sequence[int]) -> float:
    """How far two runs of the same weekday lie apart: the spread of their differences."""
    last: dict[int, float] = {}
    differences = []
    for value, day in zip(logs, days, strict=True):
        if day in last:
            differences.append(value - last[day])
        last[day] = value
    return max(2 * LEAST_SPREAD, spread(differences) if differences else 0.0)


def _limits(centre: float, width: float, *, steady: bool) -> Expectation:
    """The range that is normal around an expected logarithm."""
    reach = DEVIATIONS * max(width, LEAST_SPREAD)
    count = max(math.expm1(centre), 0.0)
    low, high = math.expm1(centre - reach), math.expm1(centre + reach)
    if not steady:
        # Counting alone: the square root of a count has a deviation of one half.
        root = math.sqrt(count + 0.375)
        low = min(low, max(root - COUNTING / 2, 0.0) ** 2 - 0.375)
        high = max(high, (root + COUNTING / 2) ** 2 - 0.375)
    return Expectation(count, max(low, 0.0), high)
