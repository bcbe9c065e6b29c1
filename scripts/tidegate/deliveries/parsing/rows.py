"""Readable records of a batch, as COPY takes them: written column by column, or as they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.parsing.splitting import MASK, columns_of, masked


@dataclass(frozen=True)
class Form:
    """How lines are written for COPY: as text, or with quotes, which are doubled inside themselves.

    `order` holds the contract's columns, by their places, as they follow each other in a line;
    None: all of them in the contract's order, a raw record before them.
    """

    delimiter: bytes = b"\t"
    null: bytes = NULL
    order: tuple[int, ...] | None = None
    quote: bytes | None = None


WRITTEN = Form()


class Rows(Protocol):
    """Records, and where each stands: its number, first and last physical line."""

    @property
    def form(self) -> Form:
        """How `staged` and `numbered` write them."""

    def staged(self) -> bytes:
        """As lines of record number, line start, line end, columns."""

    def numbered(self, constants: Sequence[int]) -> bytes:
        """As lines of record number, constants, columns (without a raw record)."""

    def written(self) -> Table:
        """The same records column by column."""


@dataclass(frozen=True)
class Table:
    """Records column by column: COPY text in contract order."""

    numbers: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    columns: Sequence[Sequence[bytes]] = field(repr=False)
    form: Form = WRITTEN

    def staged(self) -> bytes:
        """As lines of record number, line start, line end, raw (null for CSV), columns."""
        places = zip(self.numbers, self.starts, self.ends, strict=True)
        return self._lines([b"%d\t%d\t%d\t\\N" % place for place in places])

    def numbered(self, constants: Sequence[int]) -> bytes:
        """As lines of record number, constants, columns."""
        head = b"\t".join([b"%d", *(b"%d" % constant for constant in constants)])
        return self._lines([head % number for number in self.numbers])

    def written(self) -> Table:
        """Themselves."""
        return self

    def _lines(self, heads: Sequence[bytes]) -> bytes:
        return b"\n".join(map(b"\t".join, zip(heads, *self.columns, strict=True))) + b"\n"


@dataclass(frozen=True)
class Lines:
    """Records that COPY reads as they stand in the file: what is quoted holds no quote.

    `body` has a newline between them; `first` is the number of the first record, `line` its line;
    the contract has so many `columns`.
    """

    form: Form
    body: bytes = field(repr=False)
    first: int
    line: int
    count: int
    columns: int

    def staged(self) -> bytes:
        """As lines of record number, line start, line end, columns."""
        places = range(self.line, self.line + self.count)
        line = self._line(b"%d", b"%d")
        return b"".join([line % each for each in self._zipped(places, places)])

    def numbered(self, constants: Sequence[int]) -> bytes:
        """As lines of record number, constants, columns."""
        line = self._line(*(b"%d" % constant for constant in constants))
        return b"".join([line % each for each in self._zipped()])

    def _line(self, *own: bytes) -> bytes:
        mark = self.form.delimiter.replace(b"%", b"%%")
        return mark.join([b"%d", *own, b"%b\n"])

    def _zipped(self, *own: range) -> Iterable[tuple[int | bytes, ...]]:
        return zip(self._numbers(), *own, self.body.split(b"\n"), strict=True)

    def written(self) -> Table:
        """The same records column by column."""
        form, found = self.form, [[NULL] * self.count] * self.columns
        order, body, mark = form.order or (), self.body, form.delimiter
        if form.quote:
            body = masked(body, form.quote, mark) or body
        for place, tokens in zip(order, columns_of(body, mark, len(order)) or (), strict=True):
            found[place] = [self._text(token) for token in tokens]
        places = range(self.line, self.line + self.count)
        return Table(self._numbers(), places, places, found)

    def _text(self, token: bytes) -> bytes:
        if self.form.quote and token[:1] == self.form.quote:
            return escape(token[1:-1].replace(MASK, self.form.delimiter))
        return NULL if token == self.form.null else escape(token)

    def _numbers(self) -> range:
        return range(self.first, self.first + self.count)
