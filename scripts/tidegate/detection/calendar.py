"""Which days passed without the delivery that was expected on them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from tidegate.contracts.detection_keys import Detection, Weekday

REACH = 35
"""Days that are looked back on: what was missed earlier was raised or is history."""
_WEEKDAYS = tuple(Weekday)


def is_expected(keys: Detection, day: date) -> bool:
    """Whether the calendar expects a delivery on this day."""
    return _WEEKDAYS[day.weekday()] in keys.expected_on and day not in keys.holidays


def missing_days(keys: Detection, came: Iterable[date], today: date) -> tuple[date, ...]:
    """Expected days after the first delivery and before `today` on which none came.

    A delivery that came counts for its day whatever became of it. Today is not over yet.
    """
    days = set(came)
    if not days:
        return ()
    first = max(min(days) + timedelta(days=1), today - timedelta(days=REACH))
    spans = (first + timedelta(days=step) for step in range((today - first).days))
    return tuple(day for day in spans if is_expected(keys, day) and day not in days)
