"""What one value is, by its characters alone; and what many are, where they are all alike."""

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


def uniform_kind(count: int, joined: bytes, longest: int) -> Kind | None:
    """The one kind of `count` values with newlines between them; None where they must be told.

    Found by searches over all of them at once; `longest` is the length of the longest.
    """
    if not joined[:1].isdigit():
        return None
    rest = joined.translate(None, _DIGITS)
    if rest == b"\n" * (count - 1):
        return Kind.INTEGER if longest <= 18 and _all_integers(joined) else None
    if rest == b".\n" * (count - 1) + b".":
        return Kind.NUMBER if _all_decimals(joined) else None
    if rest == b"--\n" * (count - 1) + b"--":
        return Kind.DATE if _DATES.fullmatch(joined) and _usual_days(joined) else None
    match = _TIMESTAMPS.fullmatch(joined) if joined[4:5] == b"-" else None
    if not match or not _usual_days(joined):
        return None
    return Kind.TIMESTAMP_TZ if match[1] else Kind.TIMESTAMP


def _all_integers(joined: bytes) -> bool:
    wrapped = b"\n" + joined + b"\n"
    zeros = wrapped.count(b"\n0")
    padded = zeros and zeros != joined.split(b"\n").count(b"0")
    return b"\n\n" not in wrapped and not padded


def _all_decimals(joined: bytes) -> bool:
    wrapped = b"\n" + joined + b"\n"
    bare = b"\n." in wrapped or b".\n" in wrapped
    return not bare and wrapped.count(b"\n0") == wrapped.count(b"\n0.")


def _usual_days(joined: bytes) -> bool:
    return not any(day in joined for day in _RARE_DAYS) and b"\n0000-" not in b"\n" + joined


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


_DIGITS = b"0123456789"
_DAY = rb"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_TIME = rb"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_ZONE = rb"(?:Z|[+-](?:0[0-9]|1[0-5])(?::?[0-5][0-9])?)"
_INTEGER = re.compile(rb"0|-?[1-9][0-9]*")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_LEADING_ZERO = re.compile(rb"[+-]?0[0-9]+(?:\.[0-9]+)?")
_TEMPORAL = re.compile(
    rb"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?:(" + _TIME + rb")(" + _ZONE + rb")?)?"
)
_AMBIGUOUS = re.compile(rb"[0-9]{1,2}([/.\-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})")
CANDIDATE = re.compile(rb"(?:[-+]?[0-9][0-9:.\-+/TZ ]*|true|false)\Z")
"""What could be anything but text; everything else is text at a glance."""
_DATES = re.compile(_DAY + rb"(?:\n" + _DAY + rb")*")
_MOMENT = _DAY + _TIME
_TIMESTAMPS = re.compile(
    # Either all with a zone or all without one.
    rb"%b(%b)(?:\n%b%b)*|%b(?:\n%b)*" % (_MOMENT, _ZONE, _MOMENT, _ZONE, _MOMENT, _MOMENT)
)
_RARE_DAYS = (b"-02-29", b"-02-30", b"-02-31", b"-04-31", b"-06-31", b"-09-31", b"-11-31")
"""Days that only some months or years have: looked at one by one."""
