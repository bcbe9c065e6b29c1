"""A record of JSON as it stands, before it meets the contract's columns."""

from __future__ import annotations

from dataclasses import dataclass, field

from tidegate.deliveries.parsing.json_strict import Value
from tidegate.deliveries.reasons import Reason


@dataclass(frozen=True)
class RawRecord:
    """Its lines, its bytes, its text, and its value or the reason it has none."""

    line_start: int
    line_end: int
    raw: bytes = field(repr=False)
    text: str = field(repr=False)
    value: Value = field(default=None, repr=False)
    problem: Reason | None = None
