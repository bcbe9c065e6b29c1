"""Values of a column as places in a text, so that all of them can be looked at together.

Each character has a mark that says what it may be a part of; the marks of a value, united, already
tell most of what it can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tidegate.deliveries import copytext

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]
Truths = NDArray[np.bool_]

DIGIT, MINUS, POINT, CLOCK, HEX, OTHER, QUOTE = 1, 2, 4, 8, 16, 32, 64
"""`CLOCK`: what moments are written with besides; `HEX` and `OTHER`: never part of either."""
LETTERS = HEX | OTHER
_MARKS = {b"0123456789": DIGIT, b"-": MINUS, b".": POINT, b":+/TZ ": CLOCK, b"abcdefABCDEF": HEX}
_GOES_ON, _FIRST_BITS = 0x80, 0xC0
"""A byte of UTF-8 of which the first two bits are these does not begin a character."""


@lru_cache(maxsize=32)
def marks_by_byte(ends: bytes, quote: bytes | None = None) -> bytes:
    """A table for `bytes.translate`; the bytes of `ends` stand between values and have mark 0."""
    table = bytearray([OTHER] * 256)
    for characters, mark in _MARKS.items():
        for byte in characters:
            table[byte] = mark
    for byte in ends:
        table[byte] = 0
    for byte in quote or b"":
        table[byte] = QUOTE
    return bytes(table)


@dataclass(frozen=True)
class Fields:
    """Values of one column in `text`, at `starts`, of so many bytes and characters.

    `marks` are those of the text, `found` those of each value together. `escaped`: the text is that
    of COPY, and not as it was delivered.
    """

    text: Bytes
    marks: Bytes
    starts: Places
    lengths: Places
    characters: Places
    found: Bytes
    escaped: bool = False

    @classmethod
    def of(cls, joined: bytes) -> Fields:
        """Fields of COPY text with a newline between them; what is escaped is one character."""
        whole = joined + b"\n"
        marks = np.frombuffer(whole.translate(marks_by_byte(b"\n")), np.uint8)
        ends = np.flatnonzero(marks == 0)
        starts = begins(ends)
        lengths = ends - starts
        characters = lengths
        if b"\\" in joined:
            characters = np.fromiter(copytext.lengths(joined), np.intp, len(ends))
        elif not joined.isascii():
            characters = lengths - continued(whole, starts, ends)
        found = np.bitwise_or.reduceat(marks, starts)
        return cls(np.frombuffer(whole, np.uint8), marks, starts, lengths, characters, found, True)

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, chosen: Truths) -> Fields:
        """Some of the values."""
        return replace(
            self,
            starts=self.starts[chosen],
            lengths=self.lengths[chosen],
            characters=self.characters[chosen],
            found=self.found[chosen],
        )

    def without(self, null: bytes | None, never: Truths | None) -> tuple[Fields, int]:
        """All but those that mean null, and how many these are; none of `never` does."""
        absent = None if null is None else self.equal(null)
        if absent is not None and never is not None:
            absent &= ~never
        if absent is None or not absent.any():
            return self, 0
        return self.where(~absent), int(np.count_nonzero(absent))

    def values(self) -> list[bytes]:
        """The values themselves."""
        text, ends = self.text.tobytes(), self.starts + self.lengths
        return [
            text[start:end] for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)
        ]

    def equal(self, value: bytes) -> Truths:
        """Which values are `value`."""
        same: Truths = self.lengths == len(value)
        at = self.starts[same]
        for place, byte in enumerate(value):
            if not len(at):
                break
            alike = self.text[at + place] == byte
            same[same] = alike
            at = at[alike]
        return same

    def characters_of(self, text: Bytes, length: int) -> Bytes:
        """A row for each value with its bytes in `text` (or `marks`), all being so long."""
        return sliding_window_view(text, length)[self.starts]


def begins(ends: Places) -> Places:
    """Where values begin that end at `ends`, one byte between them."""
    starts = np.empty_like(ends)
    starts[:1] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    return starts


def continued(text: bytes, starts: Places, ends: Places) -> Places:
    """How many bytes of each value do not begin a character of UTF-8."""
    following = (np.frombuffer(text, np.uint8) & _FIRST_BITS) == _GOES_ON
    before = np.cumsum(following, dtype=np.intp)
    return before[ends] - before[starts]
