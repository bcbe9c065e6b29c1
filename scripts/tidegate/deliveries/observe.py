"""What the values of a column look like, from all of them and by own rules, never by casts.

A `Tally` counts each non-null value once, by kind. Tallies of parts add up to the tally of the
whole, so a file is observed chunk by chunk while it is read. `Tally.observed()` then proposes a
type: the one that most values support, if at least `MAJORITY` of them do; else text. One value with
several digits and a leading zero makes the column text, whatever else is in it (governance seed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tidegate.contracts.types import LogicalType, PgType
from tidegate.deliveries import copytext
from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.kinds import CANDIDATE, UUID, Kind, kind_of

if TYPE_CHECKING:
    # Loaded where there are many values to look at: small deliveries do without.
    from tidegate.deliveries.alike import Alike
    from tidegate.deliveries.fields import Fields

MAJORITY = 0.5
"""A type that fewer values support than this share is no longer the column's with a few bad records
in it: the column is text. What is above it and short of all is told by `confidence`."""


_UUID_LENGTH = 36
_PROBE = 200
"""So many values show whether a column repeats itself: then each distinct value is judged once."""
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
    whole: int = 0
    """The most digits that a number with a point has before it."""
    scale: int = 0
    """The most digits that a number has behind its point."""
    uuids: int = 0
    """How many texts were proved to be UUIDs; others may be, too."""
    closed: frozenset[bytes] | None = None
    """The closed set of the source as COPY text, where values are compared with one."""
    outside: bool = False
    """Whether a value was outside the closed set."""

    def add(self, values: Sequence[bytes], joined: bytes, *, together: bool = False) -> None:
        """Count fields of COPY text; `joined` is the same values with a newline between them.

        `together`: they are many, so that looking at all of them at once is worth its start.
        """
        if NULL in joined:
            nulls = values.count(NULL)
            if nulls:
                self.nulls += nulls
                values = [value for value in values if value != NULL]
                joined = b"\n".join(values)
        if not values:
            return
        if together:
            from tidegate.deliveries.fields import Fields

            self.add_fields(Fields.of(joined))
            return
        self._enclose(values)
        plain = joined.isascii() and b"\\" not in joined
        lengths = set(map(len, values) if plain else copytext.lengths(joined))
        self._lengths(min(lengths), max(lengths))
        if lengths == {_UUID_LENGTH}:
            self.uuids += len(list(filter(UUID.fullmatch, values)))
        self._one_by_one(values)

    def add_fields(self, fields: Fields, nulls: int = 0) -> None:
        """Count values where they stand, and nulls that are not among them."""
        from tidegate.deliveries import alike

        self.nulls += nulls
        if not len(fields):
            return
        if self.closed is not None:
            values = set(fields.values())
            self._enclose(values if fields.escaped else set(map(escape, values)))
        self._lengths(int(fields.characters.min()), int(fields.characters.max()))
        text = alike.is_text(fields)
        if text.any():
            self._add_alike(alike.texts(fields if text.all() else fields.where(text)))
        if not text.all():
            rest = fields.where(~text) if text.any() else fields
            found = alike.others(rest)
            if found:
                self._add_alike(found)
            else:
                self._one_by_one(rest.values())

    def _enclose(self, values: Collection[bytes]) -> None:
        if self.closed is not None and not self.closed.issuperset(values):
            self.outside = True

    def _add_alike(self, found: Alike) -> None:
        for kind, count in found.kinds.items():
            self.kinds[kind] += count
        self.largest = max(self.largest, found.largest)
        self.whole = max(self.whole, found.whole)
        self.scale = max(self.scale, found.scale)
        self.uuids += found.uuids

    def add_one(self, kind: Kind, text: str) -> None:
        """Count one value whose kind is known already (JSON)."""
        self.kinds[kind] += 1
        self._lengths(len(text), len(text))
        self._digits(kind, text.encode())

    def add_nulls(self, count: int) -> None:
        """Count nulls."""
        self.nulls += count

    def merge(self, other: Tally) -> None:
        """Add the counts of another part of the same column."""
        self.kinds += other.kinds
        self.nulls += other.nulls
        self.largest = max(self.largest, other.largest)
        self.exponents += other.exponents
        self.whole = max(self.whole, other.whole)
        self.scale = max(self.scale, other.scale)
        self.uuids += other.uuids
        self.outside |= other.outside
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

    def _one_by_one(self, values: Sequence[bytes]) -> None:
        candidates = values
        if len(set(values[:_PROBE])) * 4 > min(len(values), _PROBE):
            candidates = list(filter(CANDIDATE.match, values))
            self.kinds[Kind.TEXT] += len(values) - len(candidates)
        for value, count in Counter(candidates).items():
            kind = kind_of(value)
            self.kinds[kind] += count
            self._digits(kind, value)

    def _digits(self, kind: Kind, value: bytes) -> None:
        """Note how many digits a number has."""
        if kind is Kind.INTEGER:
            self.largest = max(self.largest, len(value.lstrip(b"-")))
        elif kind is Kind.NUMBER:
            whole, _, fraction = value.lstrip(b"-").partition(b".")
            self.whole = max(self.whole, len(whole))
            self.scale = max(self.scale, len(fraction))
