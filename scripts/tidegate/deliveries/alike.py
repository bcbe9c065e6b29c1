"""What the values of a column are, where looking at all of them together can tell.

Each function gives exactly what `kind_of` says of every single value, or None where only looking at
them one by one can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidegate.deliveries.fields import (
    CLOCK,
    DIGIT,
    HEX,
    LETTERS,
    MINUS,
    POINT,
    Bytes,
    Fields,
    Truths,
)
from tidegate.deliveries.kinds import Kind, days_in, kind_of

_LONG_INTEGER = 18
"""So many digits always fit 64 bits; more have to be compared."""
_LONGEST = 40
"""Longer numbers and moments are rare, and looked at one by one."""
_LENGTHS = 8
"""A column of moments in more lengths than this is looked at one by one."""
_MOMENTS = (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_DAYS = np.array([0, *(days_in(2000, month) for month in range(1, 13))])
_DASHES = (8, 13, 18, 23)
_UUID = np.array([MINUS if place in _DASHES else DIGIT | HEX for place in range(36)], np.uint8)
_ZERO, _NINE, _DASH = b"09-"


@dataclass(frozen=True)
class Alike:
    """How many values are of which kind, and how large their numbers are.

    `largest`: the most digits of an integer; `whole` and `scale`: the most digits of a number
    before and behind its point; `uuids`: how many texts are UUIDs, as far as all of them are.
    """

    kinds: Mapping[Kind, int]
    largest: int = 0
    whole: int = 0
    scale: int = 0
    uuids: int = 0


def texts(values: Fields) -> Alike:
    """Judge values that `is_text` is true of."""
    count = len(values)
    shortest, longest = int(values.lengths.min()), int(values.lengths.max())
    truths = 0
    if shortest <= 5 and longest >= 4:
        truths = sum(int(np.count_nonzero(values.equal(word))) for word in (b"true", b"false"))
    kinds = {kind: n for kind, n in ((Kind.BOOLEAN, truths), (Kind.TEXT, count - truths)) if n}
    return Alike(kinds, uuids=count if shortest == longest == 36 and _are_uuids(values) else 0)


def others(values: Fields) -> Alike | None:
    """Judge values that `is_text` is not true of."""
    shortest, longest = int(values.lengths.min()), int(values.lengths.max())
    every = int(np.bitwise_or.reduce(values.found))
    if longest > _LONGEST:
        return None
    if every == DIGIT:
        return _unsigned(values) if longest <= _LONG_INTEGER else None
    found = None if every & CLOCK else _numbers(values, shortest, longest)
    return found or (_moments(values) if every & MINUS else None)


def _are_uuids(values: Fields) -> bool:
    return not np.any(values.characters_of(values.marks, 36) & ~_UUID)


def _unsigned(values: Fields) -> Alike:
    padded = (values.text[values.starts] == _ZERO) & (values.lengths > 1)
    largest = int(values.lengths.max(initial=0, where=~padded))
    return _counted(padded, np.zeros(len(values), np.bool_), largest=largest)


def _numbers(values: Fields, shortest: int, longest: int) -> Alike | None:
    """Integers and plain decimal numbers, mixed or not, signed or not."""
    points, dashes, scale = _points(values, shortest, longest)
    signed = values.text[values.starts] == _DASH
    whole = values.lengths - signed - points - scale
    decimal = points > 0
    zero = values.text[values.starts + signed] == _ZERO
    if (
        np.any(dashes != signed)
        or np.any(points > 1)
        or np.any(decimal & (scale == 0))
        or np.any(whole < 1)
        or np.any(~decimal & ((whole > _LONG_INTEGER) | (signed & zero & (whole == 1))))
    ):
        return None
    padded = zero & (whole > 1)
    plain = decimal & ~padded
    return _counted(
        padded,
        decimal,
        largest=int(whole.max(initial=0, where=~decimal & ~padded)),
        whole=int(whole.max(initial=0, where=plain)),
        scale=int(scale.max(initial=0, where=plain)),
    )


def _points(
    values: Fields, shortest: int, longest: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """How many points and hyphens each value has, and how many digits stand behind its point."""
    count = len(values)
    points, dashes, scale = (np.zeros(count, np.intp) for _ in range(3))
    last = values.starts + values.lengths - 1
    for place in range(longest):
        mark = values.marks[last - place]
        if place >= shortest:
            mark[values.lengths <= place] = 0
        point = mark == POINT
        points += point
        scale += point * place
        dashes += mark == MINUS
    return points, dashes, scale


def _counted(
    padded: Truths, decimal: Truths, *, largest: int = 0, whole: int = 0, scale: int = 0
) -> Alike:
    zeros = int(np.count_nonzero(padded))
    numbers = int(np.count_nonzero(decimal & ~padded))
    kinds = {
        Kind.INTEGER: len(padded) - zeros - numbers,
        Kind.NUMBER: numbers,
        Kind.LEADING_ZERO: zeros,
    }
    return Alike({kind: n for kind, n in kinds.items() if n}, largest, whole, scale)


def _moments(values: Fields) -> Alike | None:
    """Dates and timestamps: those of one length have to be written as the first of them is."""
    kinds: dict[Kind, int] = {}
    lengths = np.flatnonzero(np.bincount(values.lengths)).tolist()
    if len(lengths) > _LENGTHS:
        return None
    for length in lengths:
        some = values if len(lengths) == 1 else values.where(values.lengths == length)
        rows = some.characters_of(some.text, length)
        first = rows[0].tobytes()
        kind = kind_of(first)
        if kind not in _MOMENTS or not _written_as(rows, first) or not _in_range(rows, first):
            return None
        kinds[kind] = kinds.get(kind, 0) + len(some)
    return Alike(kinds)


def _written_as(rows: Bytes, first: bytes) -> bool:
    """Whether all have digits where the first has one, and its other characters in their places."""
    digits = [byte in b"0123456789" for byte in first]
    lowest = np.array([_ZERO if d else b for d, b in zip(digits, first, strict=True)], np.uint8)
    highest = np.array([_NINE if d else b for d, b in zip(digits, first, strict=True)], np.uint8)
    return bool(np.all((rows >= lowest) & (rows <= highest)))


def _in_range(rows: Bytes, first: bytes) -> bool:
    """Whether days, clocks and zones are real; every digit is in its place."""

    def two(place: int) -> NDArray[np.int16]:
        pair = rows[:, place : place + 2].astype(np.int16)
        return pair[:, 0] * 10 + pair[:, 1] - 11 * _ZERO

    year, month, day = two(0) * 100 + two(2), two(5), two(8)
    if np.any((year == 0) | (month == 0) | (month > 12) | (day == 0)):
        return False
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    if np.any((day > _DAYS[month]) | ((month == 2) & (day == 29) & ~leap)):
        return False
    clock = first[11:].rstrip(b"Z")
    zone = max(clock.rfind(b"+"), clock.rfind(b"-"))
    limits = {11: 23, 14: 59} if clock else {}
    if clock[5:6] == b":":
        limits[17] = 59
    if zone >= 0:
        limits[12 + zone] = 15
        if len(clock) > zone + 3:
            limits[len(first) - 2] = 59
    return all(bool(np.all(two(place) <= limit)) for place, limit in limits.items())


def is_text(values: Fields) -> Truths:
    """Which values have a character of no number and no moment, or none at all."""
    found: Truths = ((values.found & LETTERS) != 0) | (values.lengths == 0)
    return found
