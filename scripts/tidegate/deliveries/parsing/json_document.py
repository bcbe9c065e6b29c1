"""A JSON document read as a stream: the elements of one array, each with its exact text.

Members around the array are read and checked, and forgotten. Memory holds one block and the
longest element. Text that is not JSON refuses the delivery; what is wrong inside an element that
can still be delimited (a name twice, NaN, half a surrogate, too deep) holds that element only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tidegate.deliveries.parsing.json_strict import JsonProblem, StrictDecoder, Value, pointer
from tidegate.deliveries.parsing.raw import RawRecord
from tidegate.deliveries.parsing.records import DeliveryRefused, Limits, Refusal
from tidegate.deliveries.parsing.source import Source
from tidegate.deliveries.reasons import Reason

_BLANK = re.compile(r"[ \t\n\r]*")
_UNDECODED = re.compile("[\udc80-\udcff]")


class DocumentReader:
    """Iterate over it for the records of one document; raises DeliveryRefused where it is none."""

    def __init__(self, source: Source, records: str, limits: Limits) -> None:
        self._blocks = iter(source)
        self._codec = source.codec
        self._tokens = pointer(records)
        self._limits = limits
        self._decoder = StrictDecoder(limits.json_depth)
        self._text = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._undecoded = b""
        self._found = False

    def __iter__(self) -> Iterator[RawRecord]:
        yield from self._enter(self._tokens)
        if self._peek():
            raise self._refused("text stands behind the document")
        if not self._found:
            raise DeliveryRefused(
                Refusal(Reason.RECORDS_NOT_FOUND, "the pointer of `records` leads nowhere")
            )

    # -- walking -----------------------------------------------------------------------------

    def _enter(self, tokens: Sequence[str]) -> Iterator[RawRecord]:
        """The value at hand: the records themselves, or what leads to them."""
        first = self._peek()
        if not tokens:
            self._found = True
            if first == "[":
                yield from self._array(None, ())
            elif self._tokens:
                raise DeliveryRefused(
                    Refusal(Reason.RECORDS_NOT_FOUND, "the pointer of `records` leads to no array")
                )
            else:
                yield self._record()
        elif first == "[":
            yield from self._array(tokens[0], tokens[1:])
        elif first == "{":
            yield from self._object(tokens)
        else:
            self._skip_value()

    def _array(self, wanted: str | None, rest: Sequence[str]) -> Iterator[RawRecord]:
        """Every element as a record, or the one element that `wanted` names entered."""
        self._take("[")
        if self._peek() == "]":
            self._take("]")
            return
        index = 0
        while True:
            if wanted is None:
                self._peek()
                yield self._record()
            elif wanted == str(index):
                yield from self._enter(rest)
            else:
                self._skip_value()
            index += 1
            if self._peek() == "]":
                self._take("]")
                return
            self._take(",")

    def _object(self, tokens: Sequence[str]) -> Iterator[RawRecord]:
        self._take("{")
        names: set[str] = set()
        if self._peek() == "}":
            self._take("}")
            return
        while True:
            if self._peek() != '"':
                raise self._refused("a member has no name")
            name, _ = self._value()
            if str(name) in names:
                raise self._refused("a member around the records stands twice")
            names.add(str(name))
            self._take(":")
            if name == tokens[0]:
                yield from self._enter(tokens[1:])
            else:
                self._skip_value()
            if self._peek() == "}":
                self._take("}")
                return
            self._take(",")

    def _record(self) -> RawRecord:
        self._peek()
        start = self._line
        value, text = self._value()
        problem = self._decoder.problem
        raw = text.encode(self._codec, "surrogateescape")
        if _UNDECODED.search(text):
            problem, text = Reason.INVALID_ENCODING, ""
        elif len(raw) > self._limits.record_bytes:
            problem = Reason.FIELD_TOO_LARGE
        return RawRecord(start, self._line, raw, text, value, problem)

    def _skip_value(self) -> None:
        self._peek()
        self._value()
        if self._decoder.problem:
            raise self._refused(f"a value around the records: {self._decoder.problem.value}")

    # -- reading -----------------------------------------------------------------------------

    def _value(self) -> tuple[Value, str]:
        """The value that begins here and its text; more is read until its end is certain."""
        while True:
            try:
                value, end = self._decoder.value_at(self._text, self._at)
                certain = self._ended or end < len(self._text)
            except JsonProblem as problem:
                self._check_hopeless(problem)
                certain = False
            if certain:
                text = self._text[self._at : end]
                self._forward(end)
                return value, text
            self._fill()

    def _check_hopeless(self, problem: JsonProblem) -> None:
        unread = len(self._text) - self._at
        if self._ended or unread > self._limits.record_bytes:
            self._forward(min(problem.at, len(self._text)))
            raise self._refused("it is not JSON")

    def _peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            self._forward(_BLANK.match(self._text, self._at).end())  # type: ignore[union-attr]
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._fill()

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._refused(f"`{mark}` was expected")
        self._forward(self._at + 1)

    def _forward(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _fill(self) -> None:
        """At least double what is unread, so that a long element is tried a few times only."""
        parts = [self._text[self._at :]]
        wanted = max(len(parts[0]), 1)
        self._at = 0
        while wanted > 0:
            block = next(self._blocks, None)
            if block is None:
                self._ended = True
                block = b""
            part = self._decoded(block)
            parts.append(part)
            wanted -= len(part)
            if self._ended:
                break
        self._text = "".join(parts)

    def _decoded(self, block: bytes) -> str:
        """Bytes that are no text stay recognisable; a character cut in two waits for its rest."""
        data = self._undecoded + block
        keep = 0
        if self._codec == "utf-8" and not self._ended:
            keep = next((n for n in (1, 2, 3) if data[-n:][:1] >= b"\xc0"), 0)
        self._undecoded = data[len(data) - keep :]
        return data[: len(data) - keep].decode(self._codec, "surrogateescape")

    def _refused(self, why: str) -> DeliveryRefused:
        return DeliveryRefused(Refusal(Reason.INVALID_DOCUMENT, f"line {self._line}: {why}"))
