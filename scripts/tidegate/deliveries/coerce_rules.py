"""The written forms of values, as expressions that Python and PostgreSQL read alike.

A value is judged by its characters and never by a cast: a cast takes `now`, `1_000`, `0x1F` or
full-width digits, and what it takes differs between versions. Only what is declared is a form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tidegate.contracts.keys import ParseOptions
from tidegate.errors import UsageError

INTEGER_BITS = {"smallint": 16, "integer": 32, "bigint": 64}
NON_FINITE = r"[+-]?([nN][aA][nN]|[iI][nN][fF]([iI][nN][iI][tT][yY])?)"
NON_FINITE_TOKENS = ("NaN", "Infinity", "-Infinity")
LONGEST_NUMBER = 1000
"""Characters; PostgreSQL's numeric has a limit too, and raises beyond it."""
LEADING_ZERO = r"[+-]?0[0-9]+"
UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
BYTES = r"\\x([0-9a-fA-F]{2})*"

_YEAR = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_FOURS = "(0[48]|[2468][048]|[13579][26])"
DATE = (
    f"({_YEAR}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    f"|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{{2}}{_FOURS}|{_FOURS}00)-02-29)"
)
"""A day of the Gregorian calendar, years 0001 to 9999, as ISO 8601 writes it."""
USUAL_DATE = "[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
"""Days that every month has; the server runs a short expression much faster than the whole one."""
CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
ZONE = "(Z|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?)"
ANY_FRACTION = r"(:[0-5][0-9](\.[0-9]+)?)?"


def seconds(digits: int) -> str:
    """Seconds with a fraction of so many digits; zeros behind them lose nothing."""
    # PostgreSQL reads no timestamp of more than 128 characters.
    kept = rf"(\.[0-9]{{1,{digits}}}0{{0,20}})?" if digits else r"(\.0{1,20})?"
    return f"(:[0-5][0-9]{kept})?"


def integer(options: ParseOptions) -> str:
    """A whole number without leading zeros, grouped by the declared mark or not at all."""
    return f"(0|-?({_grouped(options)}[1-9][0-9]*))"


def number(options: ParseOptions) -> str:
    """A decimal number; an exponent is allowed where the mark is a point (JSON, programs)."""
    point = re.escape(options.decimal)
    exponent = "([eE][+-]?[0-9]{1,3})?" if options.decimal == "." else ""
    return f"-?({_grouped(options)}0|[1-9][0-9]*)({point}[0-9]+)?{exponent}"


def short_number(options: ParseOptions) -> str:
    """A number that every number type without precision can hold."""
    point = re.escape(options.decimal)
    return f"-?(0|[1-9][0-9]{{0,29}})({point}[0-9]{{1,30}})?"


def _grouped(options: ParseOptions) -> str:
    if options.thousands is None:
        return ""
    return f"[1-9][0-9]{{0,2}}({re.escape(options.thousands)}[0-9]{{3}})+|"


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


@dataclass(frozen=True)
class TimeFormat:
    """A strptime pattern as an expression with one group a part."""

    pattern: str
    parts: tuple[str, ...]

    def group(self, part: str) -> int:
        """The one-based number of a part's group; 0 where the pattern has no such part."""
        return self.parts.index(part) + 1 if part in self.parts else 0


_MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
EXCEL_DATE = f"([0-9]{{1,2}}-{_MONTH}(-[0-9]{{2,4}})?|{_MONTH}-[0-9]{{2,4}})"
"""What spreadsheets make of codes that look like a day or month, such as 1-Mar or Jan-68."""
EXCEL_EXPONENT = "-?[0-9](\\.[0-9]+)?E[+-]?[0-9]+"
"""What spreadsheets make of long numbers, such as 1.23E+17."""
INVISIBLE = (
    "(.|\n)*[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f\u2060\u3000\ufeff](.|\n)*"
    "|[ \t](.|\n)*|(.|\n)*[ \t]"
)
"""Blanks and marks that nobody sees: inside, or spaces and tabs at an end."""


def time_format(declared: str) -> TimeFormat:
    """Compile a strptime pattern; names of months are English, whatever the locale.

    Raises UsageError for a directive that has no rule here, for one that stands twice, and for a
    pattern that does not name a whole day.
    """
    pattern, parts, at = "", [], 0
    while at < len(declared):
        mark = declared[at]
        at += 1
        if mark != "%":
            pattern += re.escape(mark)
            continue
        directive = declared[at : at + 1]
        at += 1
        if directive == "%":
            pattern += "%"
            continue
        if directive not in _FORMS or _FORMS[directive][0] in parts:
            raise _refused(declared, f"%{directive} is not understood there")
        name, form = _FORMS[directive]
        pattern += f"({form})"
        parts.append(name)
    found = TimeFormat(pattern, tuple(parts))
    year = found.group("year") or found.group("short_year")
    if not (year and (found.group("month") or found.group("month_name")) and found.group("day")):
        raise _refused(declared, "it names no whole day")
    if bool(found.group("hour12")) != bool(found.group("half")):
        raise _refused(declared, "%I and %p belong together")
    return found


def _refused(declared: str, why: str) -> UsageError:
    return UsageError(
        f"The date format {declared!r} cannot be used: {why}.",
        remedy="Use %Y or %y, %m, %b or %B, %d, and %H or %I %p, %M, %S, %f, %z, each once.",
    )
