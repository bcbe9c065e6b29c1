"""Declared formats of dates and timestamps: strptime patterns, compiled to one expression.

Contracts are checked with it and deliveries are read with it, so that a format which nobody can
read is found where it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL = "january|february|march|april|may|june|july|august|september|october|november|december"
_FORMS = {
    "Y": ("year", "[0-9]{4}"),
    "y": ("short_year", "[0-9]{2}"),
    "m": ("month", "[0-9]{1,2}"),
    "d": ("day", "[0-9]{1,2}"),
    "b": ("month_name", "[a-zA-Z]{3}"),
    "B": ("month_name", "[a-zA-Z]{3,9}"),
    "H": ("hour", "[0-9]{1,2}"),
    "I": ("hour12", "[0-9]{1,2}"),
    "p": ("half", "[aApP][mM]"),
    "M": ("minute", "[0-9]{1,2}"),
    "S": ("second", "[0-9]{1,2}"),
    "f": ("fraction", "[0-9]{1,6}"),
    "z": ("zone", "(?:Z|[+-][0-9]{2}:?[0-9]{2})"),
}
FULL_MONTH = f"({_FULL})"
DAY = frozenset("YymbBd%")
"""Directives of a day; a time in a date column would be thrown away unseen."""
MOMENT = frozenset(_FORMS) | {"%"}
_EITHER = (
    ("year", "short_year", "%Y and %y"),
    ("month", "month_name", "%m and %b"),
    ("hour", "hour12", "%H and %I"),
)
_NEEDED = (
    (("minute",), ("hour", "hour12"), "%M needs %H"),
    (("second",), ("minute",), "%S needs %M"),
    (("fraction",), ("second",), "%f needs %S"),
    (("hour12",), ("half",), "%I and %p belong together"),
    (("half",), ("hour12",), "%I and %p belong together"),
)


class FormatProblem(ValueError):
    """What is wrong with a format, as the end of a sentence that names it, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True)
class TimeFormat:
    """A strptime pattern as an expression with one group a part."""

    pattern: str
    parts: tuple[str, ...]

    def group(self, part: str) -> int:
        """The one-based number of a part's group; 0 where the pattern has no such part."""
        return self.parts.index(part) + 1 if part in self.parts else 0


def time_format(declared: str, directives: frozenset[str] = MOMENT) -> TimeFormat:
    """Compile a strptime pattern; names of months are English, whatever the locale.

    Raises FormatProblem for a directive that is none of `directives` or stands twice, and for a
    pattern that does not name a whole day, or names a part of the time without its whole.
    """
    pattern = ""
    parts: list[str] = []
    for directive, plain in re.findall(r"%(.?)|([^%]+)", declared, re.DOTALL):
        if plain:
            pattern += re.escape(plain)
        elif directive not in directives:
            raise FormatProblem(
                f"'%{directive}' is not a directive for this type.",
                "Use strptime directives, such as %d.%m.%Y.",
            )
        elif directive == "%":
            pattern += "%"
        else:
            name, form = _FORMS[directive]
            if name in parts:
                raise FormatProblem(f"it has '%{directive}' twice.", "Remove one of them.")
            pattern += f"({form})"
            parts.append(name)
    _check_whole(declared, set(parts))
    return TimeFormat(pattern, tuple(parts))


def _check_whole(declared: str, parts: set[str]) -> None:
    if not parts & {"year", "short_year"}:
        raise FormatProblem(f"{declared!r} has no year.", "Add %Y.")
    if not (parts & {"month", "month_name"} and "day" in parts):
        raise FormatProblem(f"{declared!r} names no whole day.", "Add %m and %d.")
    for one, other, both in _EITHER:
        if {one, other} <= parts:
            raise FormatProblem(f"{both} say the same.", "Remove one of them.")
    for those, needed, why in _NEEDED:
        if parts.intersection(those) and not parts.intersection(needed):
            raise FormatProblem(f"{why}.", "Add what is missing.")
