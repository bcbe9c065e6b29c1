"""In which declared form all values of a column can be read, where its characters alone say text.

A form is tried as landing would judge it (`coerce_rules`), and is out with the first value that it
does not take. What two forms with different meanings would take is not decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.time_formats import time_format
from tidegate.deliveries import coerce_rules

_DATES = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d",
    "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d.%m.%y", "%d/%m/%y",
    "%m/%d/%y", "%d-%b-%y",
)  # fmt: skip
_CLOCKS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
_MARKS = ((",", None), (",", "."), (",", " "), (".", ","), (".", " "), (".", "'"))
"""Decimal and thousands marks, the plainest first."""
_ANSWERS = (
    ("true", "false"), ("True", "False"), ("TRUE", "FALSE"), ("t", "f"), ("T", "F"),
    ("yes", "no"), ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"), ("ja", "nein"),
    ("Ja", "Nein"), ("J", "N"), ("oui", "non"), ("Oui", "Non"), ("O", "N"), ("sí", "no"),
    ("si", "no"), ("S", "N"),
)  # fmt: skip


@dataclass(frozen=True)
class Declared:
    """A type with the `parse` keys under which every value is one of it, or why none was chosen."""

    data_type: str = "text"
    parse: dict[str, Any] = field(default_factory=dict)
    doubt: str = ""


class Clues:
    """What is still possible for one column; values come in any number of pieces.

    Without `numbers` no text is taken for one: what JSON has in quotes is meant as text.
    """

    def __init__(self, *, numbers: bool) -> None:
        self._dates = {form: _expression(form) for form in _DATES}
        self._moments = {
            f"{day} {clock}": _expression(f"{day} {clock}") for day in _DATES for clock in _CLOCKS
        }
        marks = _MARKS if numbers else ()
        self._numbers = {pair: re.compile(_number(*pair)) for pair in marks}
        self._words: set[str] | None = set()
        self._fractions: set[str] = set()

    @property
    def spent(self) -> bool:
        """Whether no form is left, so that no more values need be shown."""
        return not (self._dates or self._moments or self._numbers or self._words is not None)

    def add(self, value: str) -> None:
        """Show one value."""
        for forms in (self._dates, self._moments):
            for form in [it for it, shape in forms.items() if not _is_moment(value, it, shape)]:
                del forms[form]
        for marks in [m for m, shape in self._numbers.items() if not shape.fullmatch(value)]:
            del self._numbers[marks]
        self._fractions |= {decimal for decimal, _ in self._numbers if decimal in value}
        if self._words is not None:
            self._words.add(value)
            if len(self._words) > len(_ANSWERS[0]):
                self._words = None

    def declared(self) -> Declared:
        """The form to declare, or text with the doubt where values have several meanings."""
        for pair in _ANSWERS:
            if self._words == set(pair):
                return Declared("boolean", {"true_tokens": [pair[0]], "false_tokens": [pair[1]]})
        for data_type, key, forms in (
            ("date", "date_format", list(self._dates)),
            ("timestamp", "timestamp_format", list(self._moments)),
        ):
            if forms:
                return self._chosen(data_type, key, forms)
        return self._number()

    @staticmethod
    def _chosen(data_type: str, key: str, forms: list[str]) -> Declared:
        orders = {re.sub(r"[^dm]", "", form.replace("b", "m").replace("B", "m")) for form in forms}
        if len({order[:2] for order in orders}) > 1:
            return Declared(doubt=f"day and month cannot be told apart: declare parse.{key}")
        return Declared(data_type, {key: forms[0]})

    def _number(self) -> Declared:
        left = list(self._numbers)
        if not left:
            return Declared()
        if {decimal for decimal, _ in left} & {thousands for _, thousands in left}:
            return Declared(doubt="a mark may be decimal or of thousands: declare parse.decimal")
        decimal, thousands = left[0]
        grouped = {"thousands": thousands} if thousands else {}
        if self._fractions & {decimal for decimal, _ in left}:
            return Declared("numeric", {"decimal": decimal, **grouped})
        return Declared("bigint", grouped)


def _expression(form: str) -> re.Pattern[str]:
    return re.compile(time_format(form).pattern)


def _is_moment(value: str, form: str, shape: re.Pattern[str]) -> bool:
    if not shape.fullmatch(value):
        return False
    try:
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def _number(decimal: str, thousands: str | None) -> str:
    return coerce_rules.number(ParseOptions(decimal=decimal, thousands=thousands))
