"""One CSV record read exactly, and where reading starts again after a broken one.

A record ends at the first line end outside quotes. It is well formed if every quote opens a field
and is closed before a delimiter or the record's end, within the limits, and if it has the expected
number of fields. Where a record is not well formed, its extent is a decision:

- its first physical line always belongs to it;
- if that line's quotes are not balanced, the following lines do too, up to the one that balances
  them, but never a line at which a well-formed record begins: an unterminated quote does not eat
  good records;
- a record that reads cleanly but has the wrong number of fields is treated the same.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from tidegate.deliveries.parsing.dialect import Dialect, Patterns, patterns
from tidegate.deliveries.parsing.lines import Window
from tidegate.deliveries.parsing.records import Limits
from tidegate.deliveries.reasons import Reason


class NeedMoreLines(Exception):
    """The window ends inside a record that may go on in the next one."""


@dataclass(frozen=True)
class Found:
    """A record from line `start` to `stop` (exclusive): its raw fields, or why it has none."""

    stop: int
    tokens: list[bytes] | None = None
    reason: Reason | None = None


class ExactParser:
    """Reads single records out of windows of lines; `width` is the expected number of fields."""

    def __init__(self, dialect: Dialect, width: int | None, limits: Limits) -> None:
        self._dialect = dialect
        self._width = width
        self._limits = limits
        self._patterns: Patterns = patterns(dialect)

    def record(self, window: Window, start: int) -> Found:
        """The record that begins at line `start`, and how far a broken one reaches."""
        found = self._attempt(window, start)
        if found.reason is None:
            return found
        return Found(self._extent(window, start, found), None, found.reason)

    def _extent(self, window: Window, start: int, found: Found) -> int:
        """Where reading starts again after the broken record at `start`."""
        if found.reason in (Reason.TOO_MANY_FIELDS, Reason.TOO_FEW_FIELDS):
            limit = found.stop
        else:
            limit = self._balanced(window, start)
        for line in range(start + 1, limit):
            if self._attempt(window, line).reason is None:
                return line
        return limit

    def _balanced(self, window: Window, start: int) -> int:
        """The line after the one where quotes balance; `start + 1` where they never do."""
        quote = self._dialect.quote
        if quote is None or window.lines[start].count(quote) % 2 == 0:
            return start + 1
        marked = window.with_mark(quote)
        size = 0
        for index in marked[bisect_left(marked, start + 1) :]:
            size += len(window.lines[index])
            if index - start >= self._limits.record_lines or size > self._limits.record_bytes:
                return start + 1
            if window.lines[index].count(quote) % 2:
                return index + 1
        if self._may_go_on(window, start):
            raise NeedMoreLines
        return start + 1

    def _may_go_on(self, window: Window, start: int) -> bool:
        """Whether lines behind the window could still belong to the record at `start`."""
        if window.last or len(window.lines) - start >= self._limits.record_lines:
            return False
        return sum(map(len, window.lines[start:])) + window.tail <= self._limits.record_bytes

    def _attempt(self, window: Window, start: int) -> Found:
        """Read by the grammar alone; `stop` of a failure is only the lines that were looked at."""
        text, stop, at = window.lines[start], start + 1, 0
        tokens: list[bytes] = []
        quote = self._dialect.quote
        while True:
            begin = at
            if quote and text[at : at + 1] == quote:
                at = self._patterns.quoted.match(text, at + 1).end()  # type: ignore[union-attr]
                while text[at : at + 1] != quote:
                    text, stop = self._more(window, start, stop)
                    if stop < 0:
                        return Found(-stop, None, Reason.UNTERMINATED_QUOTE)
                    at = self._patterns.quoted.match(text, begin + 1).end()  # type: ignore[union-attr]
                at += 1
                wrong = Reason.TEXT_AFTER_QUOTE
            else:
                at = self._patterns.plain.match(text, at).end()  # type: ignore[union-attr]
                wrong = Reason.QUOTE_IN_FIELD
            tokens.append(text[begin:at])
            if at == len(text):
                return self._counted(tokens, stop)
            if text[at : at + 1] != self._dialect.delimiter:
                if self._dialect.escape and text[at : at + 1] == self._dialect.escape:
                    wrong = Reason.DANGLING_ESCAPE
                return Found(stop, None, wrong)
            at += 1

    def _counted(self, tokens: list[bytes], stop: int) -> Found:
        if self._width is not None and len(tokens) != self._width:
            few = len(tokens) < self._width
            return Found(stop, None, Reason.TOO_FEW_FIELDS if few else Reason.TOO_MANY_FIELDS)
        if any(len(token) > self._limits.field_bytes for token in tokens):
            return Found(stop, None, Reason.FIELD_TOO_LARGE)
        return Found(stop, tokens)

    def _more(self, window: Window, start: int, stop: int) -> tuple[bytes, int]:
        """The record's text up to the next line that holds a quote; a negative stop: none."""
        marked = window.with_mark(self._dialect.quote or b"")
        after = bisect_left(marked, stop)
        if after == len(marked):
            if self._may_go_on(window, start):
                raise NeedMoreLines
            return b"", -stop
        nearest = marked[after] + 1
        if nearest - start > self._limits.record_lines:
            return b"", -stop
        text = window.joined(start, nearest)
        if len(text) > self._limits.record_bytes:
            return b"", -stop
        return text, nearest
