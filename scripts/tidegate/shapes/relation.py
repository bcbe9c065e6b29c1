"""What happens to values of one type when they have to live under another.

`relate(source, target)` is the single place that knows which step loses nothing. The rules, in
short: a step widens only where every value of the source is a value of the target, means the same
there, and comes back equal; whatever is not provably so is not a widening.
"""

from __future__ import annotations

from dataclasses import dataclass

from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.types import LogicalType, PgType


@dataclass(frozen=True)
class Step:
    """The way from one type to another: whether it loses nothing, and how it is called."""

    widening: bool
    reason: ReasonCode


LOSSLESS = Step(True, ReasonCode.WIDENING_LOSSLESS)
NARROWING = Step(False, ReasonCode.NARROWING)
PRECISION = Step(False, ReasonCode.PRECISION_LOSS)
LENGTH = Step(False, ReasonCode.LENGTH_CHANGED)
FRACTION = Step(True, ReasonCode.FRACTION_WIDENED)
REPRESENTATION = Step(False, ReasonCode.REPRESENTATION_CHANGED)
MEANING = Step(False, ReasonCode.MEANING_CHANGED)
TIMEZONE = Step(False, ReasonCode.TIMEZONE_CHANGED)
RESOLVED = Step(True, ReasonCode.UNKNOWN_RESOLVED)

_DIGITS = {"smallint": 5, "integer": 10, "bigint": 19}
"""Decimal digits that hold every value of an integer type."""
_MANTISSA = {"real": 7, "double precision": 15}
"""Digits that an integer type may have to be exact in a float: smallint in real, integer in both
but real, bigint in none."""
_VARYING = ("character varying", "text")
_PADDED = ("character", "bpchar")
_FRACTIONAL = ("timestamp", "time", "interval")
_NUMBERS = (*_DIGITS, *_MANTISSA, "numeric")


def relate(source: PgType, target: PgType) -> Step | None:
    """How values of `source` fare under `target`; None where the two are one type."""
    if same(source, target):
        return None
    if source.array or target.array:
        return relate(source.element, target.element) if source.array == target.array else MEANING
    if not (source.builtin and target.builtin):
        return _own(source, target)
    if source.name in _NUMBERS and target.name in _NUMBERS:
        return _numbers(source, target)
    if _texts(source) and _texts(target):
        return _text(source, target)
    if source.name.split()[0] in _FRACTIONAL and source.name == target.name:
        return _fraction(source, target)
    if source.name.split()[0] == "bit" and target.name.split()[0] == "bit":
        return _bits(source, target)
    return _apart(source, target)


def same(one: PgType, other: PgType) -> bool:
    """Whether two types are one: six digits of a second are what no digits mean.

    A type of somebody's own that is written without schema is the one of that name in any schema.
    """
    if one.builtin != other.builtin:
        return False
    if not one.builtin and None in (one.schema, other.schema):
        return (one.name, one.detail, one.array) == (other.name, other.detail, other.array)
    return _plain(one) == _plain(other)


def _plain(kind: PgType) -> tuple[object, ...]:
    six = kind.builtin and kind.name.split()[0] in _FRACTIONAL and kind.modifiers == (6,)
    numbers = () if six else kind.modifiers
    return (kind.schema, kind.name, numbers, kind.detail, kind.array)


def _own(source: PgType, target: PgType) -> Step:
    """Enums, domains, composites: their text is all that is known of them here."""
    if not source.builtin and target.builtin and _texts(target):
        return REPRESENTATION
    if source.builtin and _texts(source):
        return NARROWING
    return MEANING


def _numbers(source: PgType, target: PgType) -> Step:
    digits = _DIGITS.get(source.name)
    if target.name in _DIGITS:
        if digits:
            return LOSSLESS if digits < _DIGITS[target.name] else NARROWING
        whole = source.name == "numeric" and source.modifiers and source.modifiers[1] <= 0
        return NARROWING if whole else PRECISION
    if target.name in _MANTISSA:
        if digits:
            return LOSSLESS if digits <= _MANTISSA[target.name] else PRECISION
        return LOSSLESS if (source.name, target.name) == ("real", "double precision") else PRECISION
    return _to_numeric(source, target)


def _to_numeric(source: PgType, target: PgType) -> Step:
    digits = _DIGITS.get(source.name)
    if source.name in _MANTISSA:
        return PRECISION
    if not target.modifiers:
        return LOSSLESS
    precision, scale = target.modifiers
    if digits:
        if scale < 0:
            return PRECISION
        return LOSSLESS if precision - scale >= digits else NARROWING
    if not source.modifiers:
        return PRECISION
    old_precision, old_scale = source.modifiers
    if scale < old_scale:
        return PRECISION
    return LOSSLESS if precision - scale >= old_precision - old_scale else NARROWING


def _texts(kind: PgType) -> bool:
    return kind.builtin and not kind.array and kind.name in (*_VARYING, *_PADDED)


def _text(source: PgType, target: PgType) -> Step:
    """`text` and `varchar` without a length hold the same values; blanks of `char` are padding."""
    limit = target.modifiers[0] if target.modifiers else None
    length = source.modifiers[0] if source.modifiers else None
    if limit is not None and (length is None or length > limit):
        return LENGTH
    if source.name in _PADDED or target.name in _PADDED:
        return REPRESENTATION
    return LOSSLESS


def _fraction(source: PgType, target: PgType) -> Step:
    if source.detail != target.detail and target.detail:
        return PRECISION
    old = source.modifiers[0] if source.modifiers else 6
    new = target.modifiers[0] if target.modifiers else 6
    if new == old:
        return LOSSLESS
    return FRACTION if new > old else PRECISION


def _bits(source: PgType, target: PgType) -> Step:
    limit = target.modifiers[0] if target.modifiers else None
    length = source.modifiers[0] if source.modifiers else None
    if limit is not None and (length is None or length > limit):
        return LENGTH
    return LOSSLESS if target.name == "bit varying" else NARROWING


def _apart(source: PgType, target: PgType) -> Step:
    """Types of different families."""
    if {source.name, target.name} == {"json", "jsonb"}:
        return REPRESENTATION
    clock = source.name.split()[0]
    if clock in ("timestamp", "time") and clock == target.name.split()[0]:
        return TIMEZONE
    if _texts(target):
        return REPRESENTATION
    if _texts(source):
        return NARROWING
    if LogicalType.UNKNOWN in (source.logical, target.logical):
        return MEANING
    if target.name == "timestamp with time zone":
        return TIMEZONE if source.name == "date" else MEANING
    return relate_logical(source.logical, target.logical) or MEANING


def relate_logical(source: LogicalType, target: LogicalType) -> Step | None:
    """The same for logical types (policy seed: integer widened to number, unknown resolved)."""
    if source is target:
        return None
    if source is LogicalType.UNKNOWN:
        return RESOLVED
    return (
        _LOGICAL.get((source, target))
        or _LOGICAL.get((None, target))
        or (NARROWING if source is LogicalType.STRING else MEANING)
    )


_LOGICAL: dict[tuple[LogicalType | None, LogicalType], Step] = {
    (LogicalType.INTEGER, LogicalType.NUMBER): LOSSLESS,
    (LogicalType.NUMBER, LogicalType.INTEGER): NARROWING,
    (LogicalType.DATE, LogicalType.TIMESTAMP): REPRESENTATION,
    (LogicalType.TIMESTAMP, LogicalType.DATE): PRECISION,
    (None, LogicalType.STRING): REPRESENTATION,
    (None, LogicalType.JSON): REPRESENTATION,
}
