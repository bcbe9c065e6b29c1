"""Text to a value of a declared type, one at a time: the rules in Python.

`judge` is what the set-based expressions of `coerce_sql` are compared with, and what code uses
that has a value in hand and no server. Null is nobody's business here: a null of a required column
is `missing_required`, and everything below is a failed coercion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.time_formats import FULL_MONTH, MONTHS, time_format
from tidegate.contracts.types import PgType
from tidegate.deliveries import coerce_rules as rules
from tidegate.deliveries.reasons import Reason

MAX_DOUBLE = Decimal("1.7976931348623157E+308")
MIN_DOUBLE = Decimal("4.95E-324")
MAX_REAL = Decimal("3.4028234E+38")
MIN_REAL = Decimal("1.41E-45")
NUMBERS = ("numeric", "real", "double precision")
TEXTS = ("text", "character varying", "character", "bpchar")


@dataclass(frozen=True)
class Good:
    """A value: its text in the form that a cast to the type reads without choice."""

    text: str


def judge(text: str, type_: PgType, options: ParseOptions) -> Good | Reason | None:
    """The value, or why there is none; None where the type has no rule and the server decides."""
    if type_.array or not type_.builtin:
        return None
    if type_.name in rules.INTEGER_BITS:
        return _integer(text, rules.INTEGER_BITS[type_.name], options)
    if type_.name in NUMBERS:
        return _number(text, type_, options)
    if type_.name in TEXTS:
        return _text(text, type_, options)
    if type_.name == "boolean":
        return _boolean(text, options)
    if type_.name == "date":
        return _date(text, options)
    if type_.name.startswith("timestamp"):
        return _timestamp(text, type_, options)
    if type_.name == "time without time zone":
        digits = type_.modifiers[0] if type_.modifiers else 6
        form = f"{rules.CLOCK}{rules.seconds(digits)}"
        return Good(text) if _matches(form, text) else Reason.INVALID_TIME
    if type_.name == "uuid":
        return Good(text) if _matches(rules.UUID, text) else Reason.INVALID_UUID
    if type_.name == "bytea":
        return Good(text) if _matches(rules.BYTES, text) else Reason.INVALID_BYTES
    return None


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _text(text: str, type_: PgType, options: ParseOptions) -> Good | Reason:
    if type_.modifiers and len(text) > type_.modifiers[0]:
        return Reason.TOO_LONG
    if options.pattern is None or _matches(options.pattern, text):
        return Good(text)
    hints = (
        (rules.EXCEL_DATE, Reason.EXCEL_DATE),
        (rules.EXCEL_EXPONENT, Reason.EXCEL_EXPONENT),
        (rules.INVISIBLE, Reason.INVISIBLE_CHARACTER),
    )
    found = (reason for form, reason in hints if _matches(form, text))
    return next(found, Reason.PATTERN_MISMATCH)


def _plain(text: str, options: ParseOptions) -> str:
    if options.thousands is not None:
        text = text.replace(options.thousands, "")
    return text.replace(options.decimal, ".")


def _integer(text: str, bits: int, options: ParseOptions) -> Good | Reason:
    if not _matches(rules.integer(options), text):
        zero = _matches(rules.LEADING_ZERO, text)
        return Reason.LEADING_ZERO if zero else Reason.INVALID_INTEGER
    plain = text if options.thousands is None else text.replace(options.thousands, "")
    if len(text) > rules.LONGEST_NUMBER:
        return Reason.OUT_OF_RANGE
    limit = Decimal(1 << (bits - 1))
    return Good(plain) if -limit <= Decimal(plain) < limit else Reason.OUT_OF_RANGE


def _number(text: str, type_: PgType, options: ParseOptions) -> Good | Reason:
    if _matches(rules.NON_FINITE, text):
        # numeric with a precision holds NaN and no infinity.
        known = rules.NON_FINITE_TOKENS[: 1 if type_.modifiers else 3]
        return Good(text) if options.allow_nan and text in known else Reason.NON_FINITE
    if not _matches(rules.number(options), text):
        zero = _matches(rules.LEADING_ZERO, text)
        return Reason.LEADING_ZERO if zero else Reason.INVALID_NUMBER
    plain = _plain(text, options)
    if len(text) > rules.LONGEST_NUMBER:
        return Reason.OUT_OF_RANGE
    return Good(plain) if _fits(plain, type_) else Reason.OUT_OF_RANGE


def _fits(plain: str, type_: PgType) -> bool:
    size = Decimal(plain).copy_abs()
    if type_.name == "real":
        return not size or MIN_REAL <= size <= MAX_REAL
    if type_.name == "double precision":
        return not size or MIN_DOUBLE <= size <= MAX_DOUBLE
    if not type_.modifiers:
        return True
    precision, scale = type_.modifiers[0], (*type_.modifiers, 0)[1]
    _, digits, exponent = size.as_tuple()
    significant = "".join(map(str, digits)).rstrip("0")
    dropped = len(digits) - len(significant)
    last = int(exponent) + dropped if significant else 0
    return not size or (last >= -scale and size < Decimal(10).scaleb(precision - scale - 1))


def _boolean(text: str, options: ParseOptions) -> Good | Reason:
    if text in options.true_tokens:
        return Good("true")
    return Good("false") if text in options.false_tokens else Reason.INVALID_BOOLEAN


def _date(text: str, options: ParseOptions) -> Good | Reason:
    iso = text if options.date_format is None else _rewritten(text, options.date_format)
    day = iso[:10] if iso and options.date_format else iso
    return Good(day) if day and _matches(rules.DATE, day) else Reason.INVALID_DATE


def _timestamp(text: str, type_: PgType, options: ParseOptions) -> Good | Reason:
    iso = text if options.timestamp_format is None else _rewritten(text, options.timestamp_format)
    whole = f"{rules.DATE}([T ]{rules.CLOCK}{rules.ANY_FRACTION}({rules.ZONE})?)?"
    if iso is None or not _matches(whole, iso):
        return Reason.INVALID_TIMESTAMP
    zone = re.search(f"(?<=[0-9]){rules.ZONE}$", iso[11:])
    local = iso[: len(iso) - len(zone[0])] if zone else iso
    digits = type_.modifiers[0] if type_.modifiers else 6
    if not _matches(f"{rules.DATE}([T ]{rules.CLOCK}{rules.seconds(digits)})?", local):
        return Reason.OUT_OF_RANGE
    if type_.name == "timestamp without time zone":
        return Reason.UNEXPECTED_TIMEZONE if zone else Good(local)
    if zone:
        return Good(iso)
    if not options.timezone:
        return Reason.MISSING_TIMEZONE
    if not _exists(local, options.timezone):
        return Reason.INVALID_TIMESTAMP
    return Good(f"{local} {options.timezone}")


def _exists(local: str, zone: str) -> bool:
    """Whether clocks of the zone show this time: a change of theirs may skip it."""
    day, clock = local[:10], local[11:].partition(".")[0]
    there = datetime.fromisoformat(f"{day}T{clock or '00:00'}").replace(tzinfo=ZoneInfo(zone))
    try:
        again = there.astimezone(timezone.utc).astimezone(there.tzinfo)
    except OverflowError:
        return True  # the first and the last day of the calendar; no zone changed its clocks then
    return again.replace(tzinfo=None) == there.replace(tzinfo=None)


def _rewritten(text: str, declared: str) -> str | None:
    """A text in a declared format as ISO 8601, not yet checked for its ranges."""
    form = time_format(declared)
    match = _compiled(form.pattern).fullmatch(text)
    if not match:
        return None
    part = {name: match[place] for place, name in enumerate(form.parts, 1)}
    if "short_year" in part:
        part["year"] = ("20" if part["short_year"] < "69" else "19") + part["short_year"]
    if "month_name" in part:
        part["month"] = _month(part["month_name"])
    hour = part.get("hour", "00")
    if "hour12" in part:
        hour = _hour24(part["hour12"], part["half"])
    clock = ":".join(
        each.zfill(2) for each in (hour, part.get("minute", "00"), part.get("second", "00"))
    )
    fraction = f".{part['fraction']}" if "fraction" in part else ""
    day = f"{part['year']}-{part['month'].zfill(2)}-{part['day'].zfill(2)}"
    return f"{day} {clock}{fraction}{part.get('zone', '')}"


def _month(name: str) -> str:
    small = name.lower()
    known = small[:3] in MONTHS and (len(small) == 3 or _matches(FULL_MONTH, small))
    return str(MONTHS.index(small[:3]) + 1) if known else "00"


def _hour24(hour: str, half: str) -> str:
    number = int(hour)
    if not 1 <= number <= 12:
        return "99"
    return str(number % 12 + (12 if half.lower() == "pm" else 0))
