"""The written forms of values, as expressions that Python and PostgreSQL read alike.

A value is judged by its characters and never by a cast: a cast takes `now`, `1_000`, `0x1F` or
full-width digits, and what it takes differs between versions. Only what is declared is a form.
"""

from __future__ import annotations

import re

from tidegate.contracts.keys import ParseOptions

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
