"""Lines without quotes or escapes as a grid: where each field begins and ends, without its value.

Splitting lines into values costs more than everything else about them. Here the places of all
fields are found at once, a column is looked at where it stands, and the lines go to the server as
they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tidegate.deliveries.fields import Bytes, Fields, Places, begins, continued, marks_by_byte

_NEWLINE = 10


@dataclass(frozen=True)
class Grid:
    """Fields by record and column; `text` ends with a newline, `marks` are those of `fields`."""

    text: bytes = field(repr=False)
    marks: Bytes
    starts: Places
    ends: Places

    @classmethod
    def of(cls, body: bytes, delimiter: bytes, width: int) -> Grid | None:
        """The grid of lines with a newline between them; None unless each has `width` fields."""
        text = body + b"\n"
        marks = np.frombuffer(text.translate(marks_by_byte(delimiter + b"\n")), np.uint8)
        ends = np.flatnonzero(marks == 0)
        if len(ends) % width:
            return None
        last = ends.reshape(-1, width)[:, -1]
        newline = np.frombuffer(text, np.uint8) == _NEWLINE
        # As many newlines as lines, one at the end of each: so everything else is a delimiter.
        if np.count_nonzero(newline) != len(last) or not newline[last].all():
            return None
        return cls(text, marks, begins(ends).reshape(-1, width), ends.reshape(-1, width))

    def __len__(self) -> int:
        return len(self.starts)

    def columns(self, nulls: Sequence[bytes]) -> Iterator[tuple[Fields, int]]:
        """Each column: its values, and how many nulls are not among them."""
        lengths = self.ends - self.starts
        characters = lengths
        if not self.text.isascii():
            characters = lengths - continued(self.text, self.starts, self.ends)
        found = np.bitwise_or.reduceat(self.marks, self.starts.ravel()).reshape(lengths.shape)
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
            yield column.without(nulls)
