"""What a rule may say about a column of a given type; pure, and silent about values.

The same check runs when a contract is loaded (a problem is the author's) and when a policy is
judged against a relation nobody wrote a contract for (a problem is that rule's error).
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any

from tidegate.rules.columns import Column, TypeFamily
from tidegate.rules.model import (
    FieldShape,
    Range,
    Reference,
    Referential,
    RequiredFields,
    Rule,
    Unique,
)

NUMBERS = {TypeFamily.INTEGER, TypeFamily.NUMERIC, TypeFamily.REAL, TypeFamily.DOUBLE}
FLOATS = {TypeFamily.REAL, TypeFamily.DOUBLE}
TIMES = {TypeFamily.DATE, TypeFamily.TIMESTAMP, TypeFamily.TIMESTAMPTZ}
EXPECTED = {
    TypeFamily.TEXT: "text",
    TypeFamily.INTEGER: "a whole number",
    TypeFamily.NUMERIC: "a number",
    TypeFamily.REAL: "a number",
    TypeFamily.DOUBLE: "a number",
    TypeFamily.DATE: "a date such as 2024-01-31",
    TypeFamily.TIMESTAMP: "a timestamp without zone such as 2024-01-31T12:00:00",
    TypeFamily.TIMESTAMPTZ: "a timestamp with zone such as 2024-01-31T12:00:00Z",
    TypeFamily.BOOLEAN: "true or false",
    TypeFamily.UUID: "a UUID such as 7d444840-9dc0-11d1-b245-5ffdce74fad2",
}
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_TIMESTAMP = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?\Z", re.ASCII
)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class RuleProblem:
    """What is wrong with a rule: the key inside the rule, a sentence, and a remedy."""

    key: tuple[str | int, ...]
    message: str
    remedy: str = ""


def check_rule(rule: Rule, columns: Mapping[str, Column]) -> list[RuleProblem]:
    """All that makes the rule impossible to judge on these columns."""
    problems = [
        RuleProblem(_key_of(rule, name, index), f"names the field {name!r}, which is absent.",
                    "Name a column of the contract.")
        for index, name in enumerate(rule.columns)
        if name not in columns
    ]  # fmt: skip
    if problems or isinstance(rule, (RequiredFields, FieldShape)):
        return problems
    if isinstance(rule, Range):
        return _check_range(rule, columns[rule.field])
    if isinstance(rule, Referential):
        return _check_referential(rule, columns[rule.field])
    return problems


def notes(rule: Rule, columns: Mapping[str, Column]) -> list[tuple[str, str]]:
    """What is allowed and still worth a sentence: a code and a sentence each (case D16)."""
    if not isinstance(rule, (Unique, Reference)):
        return []
    floats = [name for name in rule.columns if name in columns and columns[name].family in FLOATS]
    return [
        (
            "float_equality",
            f"{name} is a floating-point column: values that print alike may differ. "
            "Use numeric for keys.",
        )
        for name in floats
    ]


def _key_of(rule: Rule, name: str, index: int) -> tuple[str | int, ...]:
    return ("fields", index) if getattr(rule, "fields", None) else ("field",)


def _check_range(rule: Range, column: Column) -> list[RuleProblem]:
    family = column.family
    if family is TypeFamily.OTHER and not column.sql_type:
        return []
    if family not in NUMBERS | TIMES:
        return [
            RuleProblem(
                ("field",),
                f"puts a range on the field {column.name!r} of type {column.sql_type}.",
                "A range is for numbers, dates and timestamps.",
            )
        ]
    problems = []
    for key, value in (("minimum", rule.minimum), ("maximum", rule.maximum)):
        # A whole-number column may be bounded by 0.5; it could never equal it.
        wanted = TypeFamily.NUMERIC if family is TypeFamily.INTEGER else family
        if value is not None and not _fits(value, wanted):
            problems.append(_wrong_type((key,), column, wanted))
    texts = isinstance(rule.minimum, str) and isinstance(rule.maximum, str)
    if texts and not problems and _instant(str(rule.minimum)) > _instant(str(rule.maximum)):
        problems.append(RuleProblem((), "has a minimum above its maximum."))
    return problems


def _check_referential(rule: Referential, column: Column) -> list[RuleProblem]:
    if column.confidential:
        return [
            RuleProblem(
                ("allowed_values",),
                f"embeds values of the sensitive or masked field {column.name!r}.",
                "Policies are readable by everybody: use a reference rule instead.",
            )
        ]
    family = column.family
    if family is TypeFamily.JSON or (family is TypeFamily.OTHER and not column.sql_type):
        return []
    if family is TypeFamily.OTHER:
        return [
            RuleProblem(
                ("field",),
                f"lists values for the field {column.name!r} of type {column.sql_type}.",
                "Allowed values are for text, number, date, timestamp, boolean, UUID and JSON.",
            )
        ]
    return [
        _wrong_type(("allowed_values", index), column, family)
        for index, value in enumerate(rule.allowed_values)
        if not _fits(value, family)
    ]


def _wrong_type(key: tuple[str | int, ...], column: Column, family: TypeFamily) -> RuleProblem:
    return RuleProblem(
        key, f"is not {EXPECTED[family]}, and the field {column.name!r} is {column.sql_type}."
    )


def _fits(value: Any, family: TypeFamily) -> bool:
    if family in NUMBERS:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return family is not TypeFamily.INTEGER or value % 1 == 0
    if family is TypeFamily.BOOLEAN:
        return isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if family is TypeFamily.UUID:
        return bool(_UUID.match(value)) and bool(uuid.UUID(value))
    if family in TIMES:
        return _is_time(value, family)
    return True


def _is_time(value: str, family: TypeFamily) -> bool:
    try:
        _instant(value)
    except ValueError:
        return False
    if _DATE.match(value):
        return family is not TypeFamily.TIMESTAMPTZ
    match = _TIMESTAMP.match(value)
    zoned = bool(match and match[4])
    return family is (TypeFamily.TIMESTAMPTZ if zoned else TypeFamily.TIMESTAMP)


def _instant(value: str) -> datetime:
    """The moment that ISO 8601 text means, in UTC; ValueError for anything else."""
    if _DATE.match(value):
        return datetime.combine(date.fromisoformat(value), datetime.min.time(), timezone.utc)
    match = _TIMESTAMP.match(value)
    if not match:
        raise ValueError("not ISO 8601")
    day, minute, second, zone = match.groups()
    whole, _, fraction = (second or ":00")[1:].partition(".")
    moment = datetime.fromisoformat(f"{day}T{minute}:{whole}.{fraction.ljust(6, '0')}")
    offset = timedelta(0)
    if zone and zone != "Z":
        sign = -1 if zone[0] == "-" else 1
        offset = sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
    return moment.replace(tzinfo=timezone.utc) - offset
