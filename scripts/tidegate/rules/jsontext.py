"""Strict JSON with lines: what Python's reader accepts silently is a problem here.

Python takes `NaN`, keeps the last of two equal keys, and forgets where a value stood. A policy is
hashed and reported by place, so all three matter.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tidegate.rules.words import MAX_NUMBER

Found = tuple[tuple[str | int, ...], str, str]
"""Path inside a document, sentence, remedy."""
_DEEPEST = 100
_NO_TEXT = "holds a character that PostgreSQL has no text for."
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


@dataclass
class JsonText:
    """A document, the one-based line of every value by JSON pointer, and what is wrong.

    Each problem is a line, a pointer and a sentence.
    """

    value: Any = None
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, str, str]] = field(default_factory=list)


def pointer(*parts: object) -> str:
    """An RFC 6901 pointer, such as `/rules/0/minimum`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def unholdable(path: tuple[str | int, ...], value: Any) -> Iterator[Found]:
    """Numbers, texts and depths that canonical JSON, or PostgreSQL, cannot hold."""
    if len(path) > _DEEPEST:
        yield path, f"is nested deeper than {_DEEPEST} levels.", ""
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if _no_text(str(name)):
                yield (*path, str(name)), _NO_TEXT, ""
            yield from unholdable((*path, str(name)), item)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from unholdable((*path, index), item)
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, "is not a finite number.", ""
    elif isinstance(value, (int, float)) and abs(value) > MAX_NUMBER:
        yield path, "is a number beyond 2^53 - 1.", "Two such numbers may be one double."
    elif isinstance(value, str):
        if _no_text(value):
            yield path, _NO_TEXT, ""
    elif value is not None and not isinstance(value, (bool, int, float)):
        yield path, "is not a JSON value.", "In YAML, put dates between quotes."


def _no_text(value: str) -> bool:
    return any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value)


def read_json(text: str) -> JsonText:
    """Read one JSON document; problems are collected, nothing is raised."""
    result = JsonText()
    try:
        result.value = json.loads(text)
    except json.JSONDecodeError as error:
        result.problems.append((error.lineno, "", f"is not JSON: {error.msg}."))
        return result
    except (RecursionError, ValueError):
        result.problems.append(
            (0, "", "is not JSON that can be read: nested or long beyond bounds.")
        )
        return result
    _Places(result).walk(text)
    return result


class _Places:
    """One pass over the tokens of text that is known to be JSON."""

    def __init__(self, result: JsonText) -> None:
        self.result = result
        self.path: list[Any] = []
        self.seen: list[set[str] | None] = []

    def walk(self, text: str) -> None:
        line, end, key_next = 1, 0, False
        for match in _PIECE.finditer(text):
            line += text.count("\n", end, match.start())
            end = match.start()
            piece = match[0]
            if piece in "{[":
                self.result.lines[pointer(*self.path)] = line
                self.seen.append(set() if piece == "{" else None)
                self.path.append(None if piece == "{" else 0)
                key_next = piece == "{"
            elif piece in "}]":
                self.seen.pop()
                self.path.pop()
                key_next = False
            elif piece == ",":
                key_next = self.seen[-1] is not None
                if not key_next:
                    self.path[-1] += 1
            elif piece == ":":
                key_next = False
            elif key_next:
                self._key(json.loads(piece), line)
            else:
                self._scalar(piece, line)

    def _key(self, key: str, line: int) -> None:
        self.path[-1] = key
        seen = self.seen[-1]
        if seen is None:
            return
        if key in seen:
            self.result.problems.append((line, pointer(*self.path), "is written twice."))
        seen.add(key)

    def _scalar(self, piece: str, line: int) -> None:
        place = pointer(*self.path)
        self.result.lines[place] = line
        if piece in ("NaN", "Infinity", "-Infinity"):
            self.result.problems.append((line, place, f"is {piece}, which JSON does not have."))
