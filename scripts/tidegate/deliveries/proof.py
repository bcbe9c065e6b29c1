"""What observation has proved already, so that the server need not look at it again.

A tally has seen every value of a column. If all of them are of kinds that the declared type takes
in any case, no value can fail, and checking each once more on the server would cost more than
everything else. Where this cannot be said, nothing is said: the expressions of `coerce_sql` judge.
"""

from __future__ import annotations

from collections.abc import Collection

from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.types import PgType
from tidegate.deliveries.coerce import NUMBERS, TEXTS
from tidegate.deliveries.copytext import escape
from tidegate.deliveries.kinds import Kind
from tidegate.deliveries.observe import Tally

_DIGITS = {"smallint": 4, "integer": 9, "bigint": 19}
"""So many digits always fit, or were compared with the type's limits when they were counted."""
_SHORT = 30
"""A plain number of so many characters fits every number type without precision."""


def no_nulls(tally: Tally) -> bool:
    """Whether no value of the column is null."""
    return tally.nulls == 0


def inside(tally: Tally, closed: Collection[str]) -> bool:
    """Whether every value was compared with this closed set and is in it."""
    wanted = frozenset(escape(value.encode()) for value in closed)
    return tally.closed == wanted and not tally.outside


def all_convert(tally: Tally, type_: PgType, options: ParseOptions) -> bool:
    """Whether every non-null value of the column is a value of the type; False if unknown."""
    if type_.array or not type_.builtin or options.pattern is not None:
        return False
    kinds = {kind for kind, count in tally.kinds.items() if count}
    name, longest = type_.name, tally.longest or 0
    if name in TEXTS:
        return not type_.modifiers or longest <= type_.modifiers[0]
    if name in _DIGITS:
        return kinds <= {Kind.INTEGER} and tally.largest <= _DIGITS[name]
    if name in NUMBERS:
        plain = {Kind.INTEGER}
        if options.decimal == "." and options.thousands is None:
            plain |= {Kind.NUMBER}
        short = not tally.exponents and longest <= _SHORT
        return kinds <= plain and short and _fits(tally, type_)
    if name == "uuid":
        return tally.uuids == sum(tally.kinds.values())
    if name == "boolean":
        known = "true" in options.true_tokens and "false" in options.false_tokens
        return kinds <= {Kind.BOOLEAN} and known
    if name == "date":
        return kinds <= {Kind.DATE} and options.date_format is None
    if name.startswith("timestamp"):
        return kinds <= _moments(name, options) and type_.modifiers in ((), (6,))
    return False


def _fits(tally: Tally, type_: PgType) -> bool:
    """Whether precision and scale, if there are any, hold every number digit by digit."""
    if not type_.modifiers:
        return True
    precision, scale = type_.modifiers[0], (*type_.modifiers, 0)[1]
    whole = max(tally.whole, tally.largest)
    return scale >= 0 and tally.scale <= scale and whole <= precision - scale


def _moments(name: str, options: ParseOptions) -> set[Kind]:
    if options.timestamp_format is not None:
        return set()
    if name == "timestamp without time zone":
        return {Kind.DATE, Kind.TIMESTAMP}
    # A local time of a declared zone may be one that a clock change skips.
    return {Kind.TIMESTAMP_TZ}
