"""What one value is, by its characters alone."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Kind(str, Enum):
    """What one value is, the narrowest first; each value is of exactly one kind."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    """An integer of at most 64 bits."""
    NUMBER = "number"
    """A decimal number, or an integer beyond 64 bits."""
    LEADING_ZERO = "leading_zero"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMP_TZ = "timestamp_tz"
    AMBIGUOUS_DATE = "ambiguous_date"
    """Digits, a separator, digits, a separator, a year: day and month cannot be told apart."""
    JSON = "json"
    TEXT = "text"


@lru_cache(maxsize=1 << 16)
def kind_of(value: bytes) -> Kind:
    """The kind of one text value, by its characters alone."""
    if _INTEGER.fullmatch(value):
        fits = len(value) <= 18 or -(1 << 63) <= int(value) < 1 << 63 if len(value) < 21 else False
        return Kind.INTEGER if fits else Kind.NUMBER
    if _NUMBER.fullmatch(value):
        return Kind.NUMBER
    if _LEADING_ZERO.fullmatch(value):
        return Kind.LEADING_ZERO
    if value in (b"true", b"false"):
        return Kind.BOOLEAN
    return temporal_kind(value)


def temporal_kind(value: bytes) -> Kind:
    """Whether a text is an ISO date or timestamp, a date of unknown order, or just text."""
    match = _TEMPORAL.fullmatch(value)
    if not match:
        return Kind.AMBIGUOUS_DATE if _AMBIGUOUS.fullmatch(value) else Kind.TEXT
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if year == 0 or day > days_in(year, month):
        return Kind.TEXT
    if match[4] is None:
        return Kind.DATE
    return Kind.TIMESTAMP_TZ if match[5] else Kind.TIMESTAMP


def days_in(year: int, month: int) -> int:
    """How many days a month has in the Gregorian calendar."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


_TIME = rb"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_ZONE = rb"(?:Z|[+-](?:0[0-9]|1[0-5])(?::?[0-5][0-9])?)"
_INTEGER = re.compile(rb"0|-?[1-9][0-9]*")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_LEADING_ZERO = re.compile(rb"[+-]?0[0-9]+(?:\.[0-9]+)?")
_TEMPORAL = re.compile(
    rb"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?:(" + _TIME + rb")(" + _ZONE + rb")?)?"
)
_AMBIGUOUS = re.compile(rb"[0-9]{1,2}([/.\-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})")
UUID = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
CANDIDATE = re.compile(rb"(?:[-+]?[0-9][0-9:.\-+/TZ ]*|true|false)\Z")
"""What could be anything but text; everything else is text at a glance."""
