"""Strict JSON: one object member a name, no NaN, no half surrogates, numbers as they are written.

Python's own parser does the work with hooks; what it lets through is noticed here. A number stays
its source token: 1.10 keeps its scale and 25 digits keep all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Union

from tidegate.deliveries.reasons import Reason

Value = Union[str, "Number", bool, None, Mapping[str, "Value"], Sequence["Value"]]

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]*")
MISSING = object()
"""What a pointer that leads nowhere gives; null is None."""


class Number(str):
    """A number's source token."""

    __slots__ = ()


class JsonProblem(Exception):
    """The text is not JSON; `at` is the zero-based character where it was noticed."""

    def __init__(self, reason: Reason, at: int = 0) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.at = at


class StrictDecoder:
    """Reads one value out of a text.

    What is wrong inside an otherwise readable value is kept in `problem`, so that the value's end
    is known and reading can go on behind it.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self.problem: Reason | None = None
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=Number,
            parse_int=Number,
            parse_constant=self._constant,
            strict=True,
        )

    def value_at(self, text: str, start: int) -> tuple[Value, int]:
        """The value that begins at `start`, and where it ends; raise JsonProblem if none does."""
        self.problem = None
        try:
            value, end = self._decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise JsonProblem(Reason.INVALID_JSON, error.pos) from None
        except RecursionError:
            closed = matching_end(text, start)
            if closed is None:
                raise JsonProblem(Reason.INVALID_JSON, len(text)) from None
            self.problem = Reason.NESTED_TOO_DEEPLY
            return None, closed
        if self.problem is None:
            self.problem = self._flaw(value, text[start:end])
        return value, end

    def whole(self, text: str) -> Value:
        """The only value of a text; raise JsonProblem for anything else."""
        begin = _BLANK.match(text).end()  # type: ignore[union-attr]
        value, end = self.value_at(text, begin)
        end = _BLANK.match(text, end).end()  # type: ignore[union-attr]
        if end != len(text):
            raise JsonProblem(Reason.INVALID_JSON, end)
        if self.problem:
            raise JsonProblem(self.problem)
        return value

    def _flaw(self, value: Value, text: str) -> Reason | None:
        opened = text.count("[") + text.count("{")
        if opened > self._depth and depth_of(text) > self._depth:
            return Reason.NESTED_TOO_DEEPLY
        if _SURROGATE_ESCAPE.search(text) and _has_surrogate(value):
            return Reason.LONE_SURROGATE
        return None

    def _object(self, pairs: list[tuple[str, Value]]) -> dict[str, Value]:
        members = dict(pairs)
        if len(members) < len(pairs):
            self.problem = self.problem or Reason.DUPLICATE_KEY
        return members

    def _constant(self, _: str) -> None:
        self.problem = Reason.INVALID_JSON


def depth_of(text: str) -> int:
    """How deep arrays and objects nest, without recursion."""
    depth = deepest = 0
    for mark in _STRUCTURE.findall(text):
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def matching_end(text: str, start: int) -> int | None:
    """Where the array or object that begins at `start` is closed; None if it is not."""
    depth = 0
    for match in _STRUCTURE.finditer(text, start):
        if match[0] in "[{":
            depth += 1
        elif match[0] in "]}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def as_text(value: Value) -> str | None:
    """A value as the text of a column: strings as they are, everything else as JSON."""
    if value is None or (isinstance(value, str)):
        return value
    return as_json(value)


def as_json(value: Value) -> str:
    """A value as JSON text, numbers as they were written."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        members = (f"{as_json(str(key))}: {as_json(item)}" for key, item in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(as_json, value)) + "]"
    return {True: "true", False: "false", None: "null"}[value]


def pointer(path: str) -> tuple[str, ...]:
    """The reference tokens of an RFC 6901 pointer."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])


def resolve(value: Value, tokens: Sequence[str]) -> Value | object:
    """What a pointer leads to, or MISSING."""
    at: Value = value
    for token in tokens:
        if isinstance(at, Mapping):
            if token not in at:
                return MISSING
            at = at[token]
        elif isinstance(at, list) and re.fullmatch(r"0|[1-9][0-9]{0,8}", token):
            if int(token) >= len(at):
                return MISSING
            at = at[int(token)]
        else:
            return MISSING
    return at


def holds_nul(value: Value) -> bool:
    """Whether a string anywhere in the value holds U+0000."""
    return any("\0" in text for text in _strings(value))


def _has_surrogate(value: Value) -> bool:
    return any(_SURROGATE.search(text) for text in _strings(value))


def _strings(value: Value) -> list[str]:
    found: list[str] = []
    waiting: list[Value] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, Mapping):
            found.extend(item)
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return found
