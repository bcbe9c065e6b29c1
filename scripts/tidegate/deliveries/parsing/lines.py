"""Physical lines: LF, CRLF and a lone CR end one, and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

_LF = re.compile(rb"\n")
_LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass
class Window:
    """Some consecutive lines without their ends; `ends` is None where every end is LF.

    `given` is None where the lines stand in `body` with LF between them: they are split when asked
    for. `last` is set when nothing follows; then the last line may have had no end (an empty one).
    """

    given: list[bytes] | None
    ends: list[bytes] | None
    last: bool
    oversized: bool = False
    """The window is the beginning of one line longer than the limit; the rest was left out."""
    tail: int = 0
    """How many bytes of a line without its end wait behind the window."""
    body: bytes = b""
    _marked: dict[bytes, list[int]] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is no line."""
        return self.given == []

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines."""
        return self.body.split(b"\n") if self.given is None else self.given

    def joined(self, start: int, stop: int) -> bytes:
        """Lines `start` to `stop` (exclusive) as they stand in the file, without the last end."""
        if stop == start + 1:
            return self.lines[start]
        if self.ends is None:
            return b"\n".join(self.lines[start:stop])
        parts = [
            line + end
            for line, end in zip(self.lines[start:stop], self.ends[start:stop], strict=True)
        ]
        parts[-1] = self.lines[stop - 1]
        return b"".join(parts)

    def after(self, start: int) -> Window:
        """The same window without its first lines."""
        ends = None if self.ends is None else self.ends[start:]
        return Window(self.lines[start:], ends, self.last, False, self.tail)

    def plain_body(self) -> bytes | None:
        """The lines with LF between them; None where one holds U+0000."""
        body = self.body if self.given is None else b"\n".join(self.given)
        return None if b"\0" in body else body

    def with_mark(self, mark: bytes) -> list[int]:
        """The indexes of the lines that hold `mark`."""
        if mark not in self._marked:
            self._marked[mark] = [i for i, line in enumerate(self.lines) if mark in line]
        return self._marked[mark]


class LineReader:
    """Windows of whole lines over blocks of bytes, in memory bounded by the longest record.

    Without `lone_cr` only LF ends a line, and a CR before it stays (JSON Lines).

    What a caller does not take from a window it hands back with `keep`; it then comes again at the
    beginning of the next window, with more behind it.
    """

    def __init__(self, blocks: Iterator[bytes], line_limit: int, *, lone_cr: bool = True) -> None:
        self._blocks = blocks
        self._limit = line_limit
        self._lone_cr = lone_cr
        self._pending = b""
        self._done = False

    def keep(self, window: Window, start: int) -> None:
        """Lines from `start` on come again in the next window."""
        if start >= len(window.lines):
            return
        end = b"\n" if window.ends is None else window.ends[-1]
        self._pending = window.joined(start, len(window.lines)) + end + self._pending

    def __iter__(self) -> Iterator[Window]:
        while not self._done:
            block = next(self._blocks, None)
            if block is None:
                self._done = True
                if self._pending:
                    body, self._pending = self._pending, b""
                    yield self._window(body, last=True)
                else:
                    yield Window([], None, last=True)
                return
            body = self._pending + block
            cut = self._cut(body)
            if not cut:
                self._pending = body
                if len(body) > self._limit:
                    yield self._skip_oversized()
                continue
            self._pending = body[cut:]
            yield self._window(body[:cut], last=False, tail=len(body) - cut)

    def _skip_oversized(self) -> Window:
        """The beginning of a line beyond the limit; its rest is read and left out."""
        head, self._pending = self._pending, b""
        for block in self._blocks:
            match = _LINE_END.search(block) if self._lone_cr else _LF.search(block)
            if match:
                rest = block[match.end() :]
                if not rest and match[0] == b"\r":
                    rest = next(self._blocks, b"").removeprefix(b"\n")
                self._pending = rest
                break
        return Window([head], None, last=False, oversized=True)

    def _cut(self, body: bytes) -> int:
        """Where the last whole line ends; a CR at the very end may be the half of a CRLF."""
        cut = body.rfind(b"\n") + 1
        if not cut and self._lone_cr:
            cut = body.rfind(b"\r", 0, len(body) - 1) + 1
        return cut

    def _window(self, body: bytes, *, last: bool, tail: int = 0) -> Window:
        if b"\r" not in body or not self._lone_cr:
            return Window(None, None, last, tail=tail, body=body.removesuffix(b"\n"))
        lines = _LINE_END.split(body)
        ends = _LINE_END.findall(body)
        if lines[-1]:
            ends.append(b"")
        else:
            lines.pop()
        return Window(lines, ends, last, tail=tail)
