"""What the values of a column look like, from all of them and by own rules, never by casts.

A `Tally` counts each non-null value once, by kind. Tallies of parts add up to the tally of the
whole, so a file is observed chunk by chunk while it is read. `Tally.observed()` then proposes a
type: the one that most values support, if at least `MAJORITY` of them do; else text. One value with
several digits and a leading zero makes the column text, whatever else is in it (governance seed).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

from tidegate.contracts.types import LogicalType, PgType
from tidegate.deliveries.copytext import NULL, unescape

MAJORITY = 0.5
"""A type that fewer values support than this share is no longer the column's with a few bad records
in it: the column is text. What is above it and short of all is told by `confidence`."""


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


_SUPPORTS = {
    LogicalType.BOOLEAN: (Kind.BOOLEAN,),
    LogicalType.INTEGER: (Kind.INTEGER,),
    LogicalType.NUMBER: (Kind.INTEGER, Kind.NUMBER),
    LogicalType.DATE: (Kind.DATE,),
    LogicalType.TIMESTAMP: (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ),
    LogicalType.JSON: (Kind.JSON,),
    LogicalType.STRING: tuple(Kind),
}
_NAMES = {
    LogicalType.BOOLEAN: "boolean",
    LogicalType.NUMBER: "numeric",
    LogicalType.DATE: "date",
    LogicalType.JSON: "jsonb",
}


@dataclass(frozen=True)
class ObservedColumn:
    """One field of a delivery. Counts are numbers of records; lengths are in characters.

    `confidence` is the share (0 to 1) of the `values` non-null values that support `logical`;
    `support` says for every type how many do. A column without a value is `unknown`.
    """

    name: str
    logical: LogicalType
    type: PgType
    confidence: float
    values: int
    nulls: int
    leading_zeros: int
    ambiguous_dates: int
    min_length: int | None
    max_length: int | None
    support: Mapping[LogicalType, int]

    @property
    def nullable(self) -> bool:
        """Whether a null was seen."""
        return self.nulls > 0

    def declared(self, type_: PgType, failed: int) -> ObservedColumn:
        """The same column where `failed` values are none of `type_` in its declared forms.

        Declared formats, marks and tokens say more than characters alone: `31.12.2024` is a date
        where the contract says how it is written. If enough values are of the declared type, that
        is what was observed. A leading zero still makes the column text.
        """
        share = (self.values - failed) / self.values if self.values else 0.0
        if self.leading_zeros or share < MAJORITY:
            return self
        return replace(self, logical=type_.logical, type=type_, confidence=share)


@dataclass
class Tally:
    """Counts of one column, growing."""

    name: str
    kinds: Counter[Kind] = field(default_factory=Counter)
    nulls: int = 0
    shortest: int | None = None
    longest: int | None = None
    largest: int = 0
    """The most digits an integer has."""
    exponents: int = 0
    """How many numbers are written with an exponent (JSON only; elsewhere that is text)."""

    def add(self, values: Sequence[bytes], joined: bytes) -> None:
        """Count fields of COPY text; `joined` is the same values with a newline between them."""
        if NULL in joined:
            nulls = values.count(NULL)
            if nulls:
                self.nulls += nulls
                values = [value for value in values if value != NULL]
                joined = b"\n".join(values)
        if not values:
            return
        if joined.isascii() and b"\\" not in joined:
            lengths = set(map(len, values))
        else:
            lengths = {len(unescape(value) or "") for value in values}
        self._lengths(min(lengths), max(lengths))
        if not self._uniform(len(values), joined, max(lengths)):
            self._one_by_one(values)

    def add_one(self, kind: Kind, text: str) -> None:
        """Count one value whose kind is known already (JSON)."""
        self.kinds[kind] += 1
        self._lengths(len(text), len(text))
        if kind is Kind.INTEGER:
            self.largest = max(self.largest, len(text.lstrip("-")))

    def add_nulls(self, count: int) -> None:
        """Count nulls."""
        self.nulls += count

    def merge(self, other: Tally) -> None:
        """Add the counts of another part of the same column."""
        self.kinds += other.kinds
        self.nulls += other.nulls
        self.largest = max(self.largest, other.largest)
        self.exponents += other.exponents
        if other.shortest is not None and other.longest is not None:
            self._lengths(other.shortest, other.longest)

    def observed(self) -> ObservedColumn:
        """The column as all its values show it."""
        values = sum(self.kinds.values())
        support = {
            logical: sum(self.kinds[kind] for kind in kinds) for logical, kinds in _SUPPORTS.items()
        }
        logical = self._choice(support, values)
        return ObservedColumn(
            name=self.name,
            logical=logical,
            type=self._type(logical),
            confidence=support[logical] / values if values else 0.0,
            values=values,
            nulls=self.nulls,
            leading_zeros=self.kinds[Kind.LEADING_ZERO],
            ambiguous_dates=self.kinds[Kind.AMBIGUOUS_DATE],
            min_length=self.shortest,
            max_length=self.longest,
            support=support,
        )

    def _choice(self, support: Mapping[LogicalType, int], values: int) -> LogicalType:
        if not values:
            return LogicalType.UNKNOWN
        if self.kinds[Kind.LEADING_ZERO]:
            return LogicalType.STRING
        narrow = [logical for logical in _SUPPORTS if logical is not LogicalType.STRING]
        best = max(narrow, key=lambda logical: support[logical])
        return best if support[best] >= MAJORITY * values else LogicalType.STRING

    def _type(self, logical: LogicalType) -> PgType:
        if logical is LogicalType.INTEGER:
            return PgType("integer" if self.largest <= 9 else "bigint")
        if logical is LogicalType.TIMESTAMP:
            zoned = self.kinds[Kind.TIMESTAMP_TZ] > 0
            return PgType(f"timestamp {'with' if zoned else 'without'} time zone")
        return PgType(_NAMES.get(logical, "text"))

    def _lengths(self, shortest: int, longest: int) -> None:
        self.shortest = shortest if self.shortest is None else min(shortest, self.shortest)
        self.longest = longest if self.longest is None else max(longest, self.longest)

    def _uniform(self, count: int, joined: bytes, longest: int) -> bool:
        """Count a chunk whose values are all alike, by searches over all of them at once."""
        if not joined[:1].isdigit():
            return False
        rest = joined.translate(None, _DIGITS)
        if rest == b"\n" * (count - 1):
            return longest <= 18 and self._all_integers(count, joined, longest)
        if rest == b".\n" * (count - 1) + b".":
            return self._all_decimals(count, joined)
        if rest == b"--\n" * (count - 1) + b"--":
            return bool(_DATES.fullmatch(joined)) and self._all_days(count, joined, Kind.DATE)
        match = _TIMESTAMPS.fullmatch(joined) if joined[4:5] == b"-" else None
        if not match:
            return False
        kind = Kind.TIMESTAMP_TZ if match[1] else Kind.TIMESTAMP
        return self._all_days(count, joined, kind)

    def _all_integers(self, count: int, joined: bytes, longest: int) -> bool:
        wrapped = b"\n" + joined + b"\n"
        zeros = wrapped.count(b"\n0")
        if b"\n\n" in wrapped or (zeros and zeros != joined.split(b"\n").count(b"0")):
            return False
        self.kinds[Kind.INTEGER] += count
        self.largest = max(self.largest, longest)
        return True

    def _all_decimals(self, count: int, joined: bytes) -> bool:
        wrapped = b"\n" + joined + b"\n"
        bare = b"\n." in wrapped or b".\n" in wrapped
        if bare or wrapped.count(b"\n0") != wrapped.count(b"\n0."):
            return False
        self.kinds[Kind.NUMBER] += count
        return True

    def _all_days(self, count: int, joined: bytes, kind: Kind) -> bool:
        if any(day in joined for day in _RARE_DAYS) or b"\n0000-" in b"\n" + joined:
            return False
        self.kinds[kind] += count
        return True

    def _one_by_one(self, values: Sequence[bytes]) -> None:
        candidates = values
        if len(set(values[:_PROBE])) * 4 > min(len(values), _PROBE):
            candidates = list(filter(_CANDIDATE.match, values))
            self.kinds[Kind.TEXT] += len(values) - len(candidates)
        for value, count in Counter(candidates).items():
            kind = kind_of(value)
            self.kinds[kind] += count
            if kind is Kind.INTEGER:
                self.largest = max(self.largest, len(value.lstrip(b"-")))


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
_CANDIDATE = re.compile(rb"(?:[-+]?[0-9][0-9:.\-+/TZ ]*|true|false)\Z")
_DATES = re.compile(_DAY + rb"(?:\n" + _DAY + rb")*")
_TIMESTAMPS = re.compile(
    # Either all with a zone or all without one.
    rb"(?:"
    + _DAY
    + _TIME
    + rb"("
    + _ZONE
    + rb")(?:\n"
    + _DAY
    + _TIME
    + _ZONE
    + rb")*|"
    + _DAY
    + _TIME
    + rb"(?:\n"
    + _DAY
    + _TIME
    + rb")*)"
)
_RARE_DAYS = (b"-02-29", b"-02-30", b"-02-31", b"-04-31", b"-06-31", b"-09-31", b"-11-31")
"""Days that only some months or years have: looked at one by one."""
_PROBE = 200
"""So many values show whether a column repeats itself: then each distinct value is judged once."""
