"""What the values of a column are, where a few searches over all of them at once can tell.

Each function gives exactly what `kind_of` says of every single value, or None where only looking at
them one by one can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tidegate.deliveries.kinds import DAY, TIME, ZONE, Kind, days_in

_DIGITS = b"0123456789"
_CANDIDATES = _DIGITS + b":.-+/TZ "
"""Every character that anything but text and truth values is written with."""
_MOMENT = DAY + TIME
_TIMESTAMPS = re.compile(
    # Either all with a zone or all without one.
    rb"%b(%b)(?:\n%b%b)*|%b(?:\n%b)*" % (_MOMENT, ZONE, _MOMENT, ZONE, _MOMENT, _MOMENT)
)
_LEAP_DAYS = re.compile(rb"^([0-9]{4})-02-29", re.MULTILINE)
_NO_DAYS = (b"-02-30", b"-02-31", b"-04-31", b"-06-31", b"-09-31", b"-11-31")
_USUAL_LENGTHS = {19, 20, 22, 24, 25}
"""Of a timestamp without a zone, with `Z`, and with an offset."""
_ZONES = re.compile(ZONE)
_HOURS = {tuple(b"%02d" % hour) for hour in range(24)}
_DAYS = {
    tuple(b"%02d%02d" % (month, day))
    for month in range(1, 13)
    for day in range(1, 1 + days_in(2000, month))
}
_LEAP_DAY = tuple(b"0229")
_AS_ZERO = bytes.maketrans(_DIGITS, b"0" * 10)
_UUID_CHARACTERS = _DIGITS + b"abcdefABCDEF"


@dataclass(frozen=True)
class Alike:
    """How many values are of which kind, and how large their numbers are.

    `largest`: the most digits of an integer; `whole` and `scale`: the most digits of a number
    before and behind its point.
    """

    kinds: Mapping[Kind, int]
    largest: int = 0
    whole: int = 0
    scale: int = 0
    uuids: int = field(default=0)


def alike(values: Sequence[bytes], joined: bytes, lengths: set[int]) -> Alike | None:
    """Judge fields of COPY text together; `joined` has a newline between them.

    `lengths`: in characters.
    """
    first = joined[:1]
    if (first.isdigit() or first == b"-") and not values[0].translate(None, _CANDIDATES):
        found = _numbers(values, joined, max(lengths)) or _moments(values, joined, lengths)
        if found:
            return found
    return _texts(values, joined, lengths)


def _texts(values: Sequence[bytes], joined: bytes, lengths: set[int]) -> Alike | None:
    rest = joined.translate(None, _CANDIDATES)
    if rest[:1] in (b"", b"\n") or rest[-1:] == b"\n" or b"\n\n" in rest:
        return None
    truths = values.count(b"true") + values.count(b"false") if lengths & {4, 5} else 0
    texts = len(values) - truths
    kinds = {kind: n for kind, n in ((Kind.BOOLEAN, truths), (Kind.TEXT, texts)) if n}
    return Alike(kinds, uuids=len(values) if lengths == {36} and _uuids(values, joined) else 0)


def _uuids(values: Sequence[bytes], joined: bytes) -> bool:
    count = len(values)
    return joined.translate(None, _UUID_CHARACTERS) == b"----\n" * (count - 1) + b"----" and all(
        joined[place::37] == b"-" * count for place in (8, 13, 18, 23)
    )


def _numbers(values: Sequence[bytes], joined: bytes, longest: int) -> Alike | None:
    """Integers and plain decimal numbers, mixed or not, signed or not."""
    signed = joined[:1] == b"-" or b"\n-" in joined
    if signed:
        joined = (b"\n" + joined).replace(b"\n-", b"\n")[1:]
        values = joined.split(b"\n")
    count = len(values)
    rest = joined.translate(None, _DIGITS) + b"\n"
    points = rest.count(b".")
    if longest > 18 and points < count:
        return None
    if rest != b"\n" * count and (rest.replace(b".\n", b"\n") != b"\n" * count or not points):
        return None
    wrapped = b"\n" + joined + b"\n"
    if b"\n\n" in wrapped or b"\n." in wrapped or (points and b".\n" in wrapped):
        return None
    zeros = wrapped.count(b"\n0") - (wrapped.count(b"\n0.") if points else 0)
    if zeros and (signed or zeros != values.count(b"0")):
        # A zero before other digits, or behind a minus.
        return None
    integers = count - points
    whole = scale = largest = 0
    if points:
        whole, scale = _places(values, wrapped, points)
    if integers:
        largest = max(map(len, values if not points else [v for v in values if b"." not in v]))
    kinds = {Kind.INTEGER: integers, Kind.NUMBER: points}
    return Alike({kind: n for kind, n in kinds.items() if n}, largest, whole, scale)


def _places(values: Sequence[bytes], wrapped: bytes, points: int) -> tuple[int, int]:
    """The most digits before and behind the points of plain numbers."""
    scale = len(values[0].partition(b".")[2])
    ending = b"." + b"0" * scale + b"\n"
    if points == len(values) and wrapped.translate(_AS_ZERO).count(ending) == points:
        return max(map(len, values)) - 1 - scale, scale
    fractions = values if points == len(values) else [v for v in values if b"." in v]
    pieces = b"\n".join(fractions).replace(b".", b"\n").split(b"\n")
    return max(map(len, pieces[::2])), max(map(len, pieces[1::2]))


def _moments(values: Sequence[bytes], joined: bytes, lengths: set[int]) -> Alike | None:
    if joined[4:5] != b"-":
        return None
    if lengths == {10}:
        return _dates(joined, len(values))
    if len(lengths) == 1 and lengths <= _USUAL_LENGTHS:
        found = _usual_timestamps(joined, len(values), *lengths)
        if found:
            return found
    match = _TIMESTAMPS.fullmatch(joined)
    if not match or not _real_days(joined):
        return None
    return Alike({Kind.TIMESTAMP_TZ if match[1] else Kind.TIMESTAMP: len(values)})


def _usual_timestamps(joined: bytes, count: int, length: int) -> Alike | None:
    """Whole seconds, all in one zone or none: each character stands in its place."""
    every, tail = length + 1, joined[19:length]
    middle = joined[10:11]
    if middle not in (b"T", b" ") or (tail and not _ZONES.fullmatch(tail)):
        return None
    marks = b"--%b::%b\n" % (middle, tail.translate(None, _DIGITS))
    fixed = {4: b"-", 7: b"-", 10: middle, 13: b":", 16: b":"}
    fixed |= {19 + at: tail[at : at + 1] for at in range(len(tail))}
    if (
        joined.translate(None, _DIGITS) + b"\n" != marks * count
        or any(joined[place::every] != mark * count for place, mark in fixed.items())
        or joined[14::every].strip(b"012345")
        or joined[17::every].strip(b"012345")
    ):
        return None
    hours = set(zip(joined[11::every], joined[12::every], strict=True))
    if not hours <= _HOURS or not _usual_days(joined, every):
        return None
    return Alike({Kind.TIMESTAMP_TZ if tail else Kind.TIMESTAMP: count})


def _dates(joined: bytes, count: int) -> Alike | None:
    if (
        joined.translate(None, _DIGITS) + b"\n" != b"--\n" * count
        or joined[4::11] != b"-" * count
        or joined[7::11] != b"-" * count
        or not _usual_days(joined, 11)
    ):
        return None
    return Alike({Kind.DATE: count})


def _usual_days(joined: bytes, every: int) -> bool:
    """Whether each of `every` bytes begins with a day, its digits and hyphens being in place."""
    days = set(zip(*(joined[place::every] for place in (5, 6, 8, 9)), strict=True))
    if not days <= _DAYS or b"\n0000-" in b"\n" + joined:
        return False
    if _LEAP_DAY not in days:
        return True
    found = re.finditer(b"-02-29", joined)
    years = {joined[it.start() - 4 : it.start()] for it in found if it.start() % every == 4}
    return all(days_in(int(year), 2) == 29 for year in years)


def _real_days(joined: bytes) -> bool:
    """Whether no day is one that its month never has, or its year has not."""
    if b"\n0000-" in b"\n" + joined or any(day in joined for day in _NO_DAYS):
        return False
    if b"-02-29" not in joined:
        return True
    return all(days_in(int(year), 2) == 29 for year in set(_LEAP_DAYS.findall(joined)))
