"""Regular lines as a grid: where each field begins and ends, without its value.

Splitting lines into values costs more than everything else about them. Here the places of all
fields are found at once, a column is looked at where it stands, and the lines go to the server as
they are. Regular: a quoted field is a whole field of one line, and holds no quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tidegate.deliveries.fields import (
    QUOTE,
    Bytes,
    Fields,
    Places,
    Truths,
    begins,
    continued,
    marks_by_byte,
)

_NEWLINE = 10
_FIELD = np.uint8(~QUOTE & 0xFF)
"""Takes the marks of quotes out: they are no part of a field."""


@dataclass(frozen=True)
class Grid:
    """Fields by record and column, without their quotes; `text` ends with a newline."""

    text: bytes = field(repr=False)
    marks: Bytes
    starts: Places
    ends: Places
    quoted: Truths | None
    """Which fields are quoted, if any."""

    @classmethod
    def of(cls, body: bytes, delimiter: bytes, quote: bytes | None, width: int) -> Grid | None:
        """The grid of lines with a newline between them; None unless each has `width` fields."""
        text = body + b"\n"
        marks = np.frombuffer(text.translate(marks_by_byte(delimiter + b"\n", quote)), np.uint8)
        hidden = quote is not None and quote in body
        ends = np.flatnonzero((marks & _FIELD if hidden else marks) == 0)
        if hidden:
            outside, inside = _apart(text, marks, ends)
            if outside is None:
                return None
            marks, ends = _unmasked(marks, inside, delimiter), outside
        if len(ends) % width:
            return None
        last = ends.reshape(-1, width)[:, -1]
        newline = np.frombuffer(text, np.uint8) == _NEWLINE
        # As many newlines as lines, one at the end of each: so everything else is a delimiter.
        if np.count_nonzero(newline) != len(last) or not newline[last].all():
            return None
        starts, quoted = begins(ends), None
        if hidden:
            quoted = marks[starts] == QUOTE
            starts, ends = starts + quoted, ends - quoted
            quoted = quoted.reshape(-1, width)
        return cls(text, marks, starts.reshape(-1, width), ends.reshape(-1, width), quoted)

    def __len__(self) -> int:
        return len(self.starts)

    def columns(self, null: bytes | None) -> Iterator[tuple[Fields, int]]:
        """Each column: its values, and how many nulls are not among them."""
        lengths = self.ends - self.starts
        characters = lengths
        if not self.text.isascii():
            characters = lengths - continued(self.text, self.starts, self.ends)
        found = np.bitwise_or.reduceat(self.marks, self.starts.ravel()).reshape(lengths.shape)
        found &= _FIELD
        bytes_ = np.frombuffer(self.text, np.uint8)
        for place in range(lengths.shape[1]):
            column = Fields(
                bytes_,
                self.marks,
                starts=np.ascontiguousarray(self.starts[:, place]),
                lengths=np.ascontiguousarray(lengths[:, place]),
                characters=np.ascontiguousarray(characters[:, place]),
                found=np.ascontiguousarray(found[:, place]),
            )
            never = None if self.quoted is None else self.quoted[:, place]
            yield column.without(null, never)


def _apart(text: bytes, marks: Bytes, places: Places) -> tuple[Places | None, Places]:
    """Of ends and quotes: the ends outside quotes, None where quotes are odd, and those inside."""
    quote = marks[places] == QUOTE
    quotes = places[quote]
    if (
        len(quotes) % 2
        or marks[quotes[::2][quotes[::2] > 0] - 1].any()
        or marks[quotes[1::2] + 1].any()
    ):
        return None, quotes
    # Whether the number of quotes before is odd is all that is asked: it may well overflow.
    open_ = (np.cumsum(quote, dtype=np.uint8) & 1).astype(np.bool_)
    inside = places[open_ & ~quote]
    if np.any(np.frombuffer(text, np.uint8)[inside] == _NEWLINE):
        return None, inside
    return places[~(open_ | quote)], inside


def _unmasked(marks: Bytes, places: Places, delimiter: bytes) -> Bytes:
    """The marks with those of delimiters that are data, at `places`."""
    if not len(places):
        return marks
    own = marks.copy()
    own[places] = marks_by_byte(b"", None)[delimiter[0]]
    return own
