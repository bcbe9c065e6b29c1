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
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from tidegate.contracts.types import LogicalType, PgType
from tidegate.deliveries.copytext import NULL, unescape

MAJORITY = 0.95
"""Below this share of supporting values a column is text: it is no longer a few bad records."""


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
            self._lengths(min(map(len, values)), max(map(len, values)))
        else:
            lengths = [len(unescape(value) or "") for value in values]
            self._lengths(min(lengths), max(lengths))
        if not self._uniform(values, joined):
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

    def _uniform(self, values: Sequence[bytes], joined: bytes) -> bool:
        """Count a chunk whose values are all alike, by searches over all of them at once."""
        rest = joined.translate(None, _DIGITS)
        separators = len(values) - 1
        longest = max(map(len, values))
        if len(rest) == separators and longest <= 18:
            if b"" in values or _LEADING_ZERO_IN.search(joined):
                return False
            self.kinds[Kind.INTEGER] += len(values)
            self.largest = max(self.largest, longest)
            return True
        if rest == b".\n" * separators + b".":
            if _LEADING_ZERO_IN.search(joined) or _BARE_POINT_IN.search(joined):
                return False
            self.kinds[Kind.NUMBER] += len(values)
            return True
        if rest == b"--\n" * separators + b"--" and _ALL_DATES.fullmatch(joined):
            return self._all_dates(values, joined, Kind.DATE)
        if joined[4:5] == b"-" and (match := _ALL_TIMESTAMPS.fullmatch(joined)):
            return self._all_dates(
                values, joined, Kind.TIMESTAMP_TZ if match[1] else Kind.TIMESTAMP
            )
        return False

    def _all_dates(self, values: Sequence[bytes], joined: bytes, kind: Kind) -> bool:
        if _RARE_DAY_IN.search(joined):
            return False
        self.kinds[kind] += len(values)
        return True

    def _one_by_one(self, values: Sequence[bytes]) -> None:
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
_LEADING_ZERO_IN = re.compile(rb"(?:\A|\n)0[0-9]")
_BARE_POINT_IN = re.compile(rb"(?:\A|\n)\.|\.(?:\n|\Z)")
_ALL_DATES = re.compile(_DAY + rb"(?:\n" + _DAY + rb")*")
_ALL_TIMESTAMPS = re.compile(
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
_RARE_DAY_IN = re.compile(rb"-(?:02-(?:29|3[01])|(?:04|06|09|11)-31)|(?:\A|\n)0000-")
"""Days that only some months or years have, and year zero: looked at one by one."""
