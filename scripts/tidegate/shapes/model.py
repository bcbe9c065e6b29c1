"""What is compared, and what comes out: fields, shapes, changes and the complete diff."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.types import LogicalType, PgType
from tidegate.names import SAMPLE_CAP

SEVERITY = {
    Classification.COMPATIBLE: 0,
    Classification.WARNING: 1,
    Classification.BREAKING: 2,
}


class Origin(str, Enum):
    """Where a shape comes from; it decides in which direction values would have to go.

    A declared or observed shape may replace the contract, so the old type's values have to fit the
    new type. A live relation has to satisfy the contract, so its values have to fit the contract's.
    """

    DECLARED = "declared"
    OBSERVED = "observed"
    LIVE = "live"


@dataclass(frozen=True)
class Field:
    """One column. `position` is one-based; `nullable` is None where nobody can tell (a view).

    `type` is None where only a logical type was observed (`observed`). `confidence` is the share
    (0 to 1) of values that support the observed type; `leading_zeros` says that a multi-digit value
    with a leading zero was seen; `examples` are one-based record numbers, never values.
    `base` is the type under a domain; `note` names what a reader of the diff should know (`identity
    always`, `generated`, a collation).
    """

    name: str
    type: PgType | None = None
    nullable: bool | None = None
    position: int = 0
    observed: LogicalType | None = None
    confidence: float | None = None
    leading_zeros: bool = False
    examples: tuple[int, ...] = ()
    base: PgType | None = None
    note: str = ""

    @property
    def logical(self) -> LogicalType:
        """The observed logical type, else that of the declared type."""
        if self.observed is not None:
            return self.observed
        return self.type.logical if self.type else LogicalType.UNKNOWN

    @property
    def described(self) -> str:
        """Type and nullability in words, as a table of mismatches shows them."""
        what = self.type.sql if self.type else self.logical.value
        if self.base:
            what = f"{what} (domain over {self.base.sql})"
        if self.note:
            what = f"{what} ({self.note})"
        return f"{what} not null" if self.nullable is False else what


@dataclass(frozen=True)
class Shape:
    """The fields of one side, in order. Raises ValueError where a name stands twice."""

    fields: tuple[Field, ...]
    origin: Origin = Origin.DECLARED

    def __post_init__(self) -> None:
        names = Counter(field.name for field in self.fields)
        double = sorted(name for name, times in names.items() if times > 1)
        if double:
            raise ValueError(f"The shape names {', '.join(double)} more than once.")
        numbered = tuple(replace(f, position=i) for i, f in enumerate(self.fields, 1))
        object.__setattr__(self, "fields", numbered)

    @property
    def by_name(self) -> dict[str, Field]:
        """The fields by their stable, exact name."""
        return {field.name: field for field in self.fields}


@dataclass(frozen=True)
class Change:
    """One difference: what was (`old`) and is (`new`), both in words, "" for nothing."""

    kind: ChangeKind
    field: str
    reason_code: ReasonCode
    classification: Classification
    old: str
    new: str
    hint: str = ""
    examples: tuple[int, ...] = ()

    def document(self) -> dict[str, object]:
        """The change as JSON; at most 25 record numbers, no values."""
        found: dict[str, object] = {
            "field": self.field,
            "kind": self.kind.value,
            "reason_code": self.reason_code.value,
            "classification": self.classification.value,
            "old": self.old or None,
            "new": self.new or None,
        }
        if self.hint:
            found["hint"] = self.hint
        if self.examples:
            found["example_records"] = list(self.examples[:SAMPLE_CAP])
        return found


@dataclass(frozen=True)
class SchemaDiff:
    """All differences between two shapes; `unknown` says why nothing could be compared."""

    changes: tuple[Change, ...] = ()
    unknown: ReasonCode | None = None

    @property
    def highest(self) -> Classification | None:
        """The highest classification; compatible without changes, None where nothing is known."""
        if self.unknown:
            return None
        found = [change.classification for change in self.changes]
        return max(found, key=SEVERITY.__getitem__, default=Classification.COMPATIBLE)

    def document(self) -> dict[str, object]:
        """The complete diff as JSON, for evidence (policy seed, "Evidence And Privacy")."""
        highest = self.highest
        return {
            "classification": highest.value if highest else None,
            "unknown": self.unknown.value if self.unknown else None,
            "changes": [change.document() for change in self.changes],
        }
