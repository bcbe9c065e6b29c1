"""Raw fields of many records, column by column, into COPY text; observers look on.

Working by column lets one search over a joined column decide whether any of its fields needs work
of its own (quotes, escapes, null tokens); most need none.
"""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing.dialect import Dialect
from tidegate.deliveries.parsing.records import Batch, Layout, Malformed
from tidegate.deliveries.parsing.rows import Form, Lines, Rows, Table
from tidegate.deliveries.parsing.splitting import MASK

_MANY = 40_000
"""So many fields are worth looking at together, which needs a library that takes time to load."""
_LARGE = 3 << 17
"""Bytes of lines of which the same is true; once it is loaded, fewer are, too."""
_HUGE = 1 << 22
"""Bytes of lines with which it would take too much memory: one field may be a byte."""
_NO_DELIMITERS = b"abcdefghijklmnopqrstuvwxyz0123456789.\\"
"""What COPY takes for no delimiter of text."""


class ColumnWriter:
    """Turns raw fields into fields of COPY text, column by column.

    `closed` holds the closed set of each contract column, or None.
    """

    def __init__(
        self,
        dialect: Dialect,
        layout: Layout,
        closed: Sequence[frozenset[str] | None],
        *,
        observe: bool,
    ) -> None:
        self._dialect = dialect
        self._layout = layout
        self._observe = observe
        sets = {
            place: frozenset(escape(value.encode()) for value in values)
            for place, values in zip(layout.positions, closed, strict=True)
            if place is not None and values is not None
        }
        self._closed = [sets.get(place) for place in range(len(layout.fields))]
        self.tallies = self._new_tallies()
        # A tab needs work even where it is the delimiter: quotes may hold one.
        self._work = (b"\\", b"\t", *filter(None, (dialect.escape,)))
        self._quotes_in_nulls = dialect.quote is not None and any(
            dialect.quote in token for token in dialect.null_tokens
        )
        self._wrapped = tuple(b"\n" + token + b"\n" for token in dialect.null_tokens - {b""})
        self._form = _form(dialect, layout)
        self._least = _LARGE
        self._null = next(iter(dialect.null_tokens), None)

    def lines(self, body: bytes, number: int, line: int) -> Batch | None:
        """The records of lines that COPY can read as they stand; None where it cannot, or few.

        `number`: of the first record; `line`: where it stands. `body` has no blank line, no NUL and
        no line end but the newlines between its lines.
        """
        form = self._form
        if form is None or not self._least <= len(body) <= _HUGE or self._misread(body, form):
            return None
        self._least = 0
        from tidegate.deliveries.parsing.grid import Grid

        grid = Grid.of(body, form.delimiter, form.quote, len(self._layout.fields))
        if grid is None:
            return None
        tallies = self._new_tallies()
        if tallies:
            for tally, (fields, nulls) in zip(tallies, grid.columns(self._null), strict=True):
                tally.add_fields(fields, nulls)
        lines = Lines(form, body, number, line, len(grid), len(self._layout.positions))
        return self._batch(lines, len(grid), tallies, ())

    def _misread(self, body: bytes, form: Form) -> bool:
        """Whether the text may hold what `form` gives a meaning that it has not."""
        if b"\\" in body and (form.quote is None or self._null is None):
            # A backslash escapes in text, and begins what stands for null where nothing else does.
            return True
        return form.quote is not None and MASK in body and form.quote in body

    def batch(
        self,
        places: tuple[Sequence[int], Sequence[int], Sequence[int]],
        fields: Sequence[Sequence[bytes]],
        malformed: tuple[Malformed, ...] = (),
        *,
        regular: bool = False,
        hidden: bool = False,
    ) -> Batch:
        """The records whose raw fields are `fields`, column by column.

        `places`: their record numbers, first and last lines.
        `regular`: no field holds a newline or a quote inside quotes. `hidden`: `MASK` stands for
        the delimiter; elsewhere that byte is data like any other.
        """
        tallies = self._new_tallies()
        count = len(places[0])
        together = count * len(fields) >= _MANY
        columns = [
            self._column(tokens, tallies[place] if tallies else None, regular, hidden, together)
            for place, tokens in enumerate(fields)
        ]
        nothing = [NULL] * count
        at = self._layout.positions
        table = Table(*places, [nothing if place is None else columns[place] for place in at])
        return self._batch(table, count, tallies, malformed)

    def _batch(
        self,
        rows: Rows,
        count: int,
        tallies: tuple[Tally, ...],
        malformed: tuple[Malformed, ...],
    ) -> Batch:
        for total, part in zip(self.tallies, tallies, strict=True):
            total.merge(part)
        at = self._layout.positions
        seen = tuple(None if place is None else tallies[place] for place in at) if tallies else ()
        return Batch(b"", count, malformed, rows, seen)

    def _new_tallies(self) -> tuple[Tally, ...]:
        if not self._observe:
            return ()
        return tuple(
            Tally(name, closed=closed)
            for name, closed in zip(self._layout.fields, self._closed, strict=True)
        )

    def _column(
        self,
        tokens: Sequence[bytes],
        tally: Tally | None,
        regular: bool,
        hidden: bool,
        together: bool,
    ) -> Sequence[bytes]:
        joined = b"\n".join(tokens)
        if hidden and MASK in joined:
            joined = joined.replace(MASK, self._dialect.delimiter)
            tokens = joined.split(b"\n")
        quote = self._dialect.quote
        if self._dialect.trim or any(mark in joined for mark in self._work):
            tokens, joined = self._one_by_one(tokens)
        elif quote and quote in joined:
            if not regular or self._quotes_in_nulls:
                tokens, joined = self._one_by_one(tokens)
            else:
                # What stands in quotes is never null; then all quotes can go at once.
                joined = self._nulls(tokens, joined)[1].replace(quote, b"")
                tokens = joined.split(b"\n")
        else:
            tokens, joined = self._nulls(tokens, joined)
        if tally:
            tally.add(tokens, joined, together=together)
        return tokens

    def _one_by_one(self, tokens: Sequence[bytes]) -> tuple[Sequence[bytes], bytes]:
        text = self._dialect.text
        tokens = [text(token) for token in tokens]
        return tokens, b"\n".join(tokens)

    def _nulls(self, tokens: Sequence[bytes], joined: bytes) -> tuple[Sequence[bytes], bytes]:
        """Null for each token that means null."""
        empties = b"" in self._dialect.null_tokens and (
            not joined or joined[:1] == b"\n" or joined[-1:] == b"\n" or b"\n\n" in joined
        )
        wrapped = b"\n" + joined + b"\n" if self._wrapped else b""
        if any(token in wrapped for token in self._wrapped):
            null = self._dialect.null_tokens
            replaced = [NULL if token in null else token for token in tokens]
        elif empties:
            replaced = [token or NULL for token in tokens]
        else:
            return tokens, joined
        return replaced, b"\n".join(replaced)


def _form(dialect: Dialect, layout: Layout) -> Form | None:
    """How plain lines of the dialect are told to COPY; None where they cannot be.

    Each field has to be a column's, and what means null has to be one text.
    """
    order = {place: column for column, place in enumerate(layout.positions) if place is not None}
    mark, null, quote = dialect.delimiter, next(iter(dialect.null_tokens), NULL), dialect.quote
    if (
        dialect.trim
        or dialect.escape
        or dialect.comment
        or (quote is None and mark in _NO_DELIMITERS)
        or len(dialect.null_tokens) > 1
        or any(byte in null for byte in (mark, b"\n", b"\r", *filter(None, (quote,))))
        or len(order) < len(layout.fields)
        or len(layout.positions) - layout.positions.count(None) > len(order)
    ):
        return None
    return Form(mark, null, tuple(order[place] for place in range(len(layout.fields))), quote)
