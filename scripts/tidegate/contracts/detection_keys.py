"""Keys of a dataset that tell the detectors what is normal; they never decide about a delivery."""

from __future__ import annotations

from datetime import date
from enum import Enum

from pydantic import Field

from tidegate.contracts.key_base import Keys


class Weekday(str, Enum):
    """A day of the week; their order is that of `date.weekday()`."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Detection(Keys):
    """What is normal for the deliveries of a dataset. Not part of the contract's hash: whoever
    corrects a calendar must not park deliveries."""

    minimum_history: int = Field(default=7, ge=3, le=100)
    """How many comparable runs a detector needs before it says anything."""
    expected_on: tuple[Weekday, ...] = ()
    """Days of the week on which a delivery is expected; empty: nobody waits for one."""
    timezone: str = "UTC"
    """The IANA zone in which a day begins and ends."""
    holidays: tuple[date, ...] = ()
    """Days on which nothing is expected and whose volume is neither judged nor compared with."""
    dimension: str | None = None
    """A column with a closed `enum` whose members' volumes are watched one by one."""
    minimum_member_records: int = Field(default=20, ge=1)
    """Members of which fewer records are expected are not judged."""
