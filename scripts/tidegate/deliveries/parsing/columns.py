"""Raw fields of many records, column by column, into COPY text; observers look on.

Working by column lets one search over a joined column decide whether any of its fields needs work
of its own (quotes, escapes, null tokens); most need none.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import methodcaller

from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing.dialect import Dialect
from tidegate.deliveries.parsing.records import Batch, Layout, Malformed, Table

MASK = b"\x01"
"""Stands for a delimiter inside quotes while lines are split; data that holds it is not masked."""


_HAS_END = methodcaller("__contains__", b"\n")


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
        self._tokens = tuple(dialect.null_tokens - {b""})
        self._wrapped = tuple(b"\n" + token + b"\n" for token in self._tokens)

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
        columns = [
            self._column(tokens, tallies[place] if tallies else None, regular, hidden)
            for place, tokens in enumerate(fields)
        ]
        for total, part in zip(self.tallies, tallies, strict=True):
            total.merge(part)
        count = len(places[0])
        nothing = [NULL] * count
        at = self._layout.positions
        table = Table(*places, [nothing if place is None else columns[place] for place in at])
        seen = tuple(None if place is None else tallies[place] for place in at) if tallies else ()
        return Batch(b"", count, malformed, table, seen)

    def _new_tallies(self) -> tuple[Tally, ...]:
        if not self._observe:
            return ()
        return tuple(
            Tally(name, closed=closed)
            for name, closed in zip(self._layout.fields, self._closed, strict=True)
        )

    def _column(
        self, tokens: Sequence[bytes], tally: Tally | None, regular: bool, hidden: bool
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
            tally.add(tokens, joined)
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


def columns_of(body: bytes, delimiter: bytes, width: int) -> list[list[bytes]] | None:
    """The fields of lines, column by column; None unless each line has `width` of them."""
    if width == 1:
        lines = body.split(b"\n")
        return None if delimiter in body else [lines]
    # Split at delimiters alone, every (width - 1)th piece is the end of a line and the beginning
    # of the next, and no other piece has a line end.
    pieces, step = body.split(delimiter), width - 1
    count = body.count(b"\n") + 1
    seams = pieces[step:-1:step]
    if len(pieces) != count * step + 1 or not all(map(_HAS_END, seams)):
        return None
    ends = b"\n".join(seams).split(b"\n") if seams else []
    first, last = [pieces[0], *ends[1::2]], [*ends[::2], pieces[-1]]
    return [first, *(pieces[place::step] for place in range(1, step)), last]


def masked(body: bytes, quote: bytes, delimiter: bytes) -> bytes | None:
    """Lines with quoted fields, `MASK` standing for each delimiter inside quotes.

    None unless each quoted field is a whole field of one line and holds no quote.
    """
    pieces = body.split(quote)
    edges = {delimiter, b"\n"}
    between = pieces[2:-1:2]
    regular = (
        len(pieces) % 2 == 1
        and {piece[:1] for piece in between} <= edges
        and {piece[-1:] for piece in between} <= edges
        and {pieces[0][-1:], pieces[-1][:1]} <= edges | {b""}
        and MASK not in body
    )
    if not regular:
        return None
    inside = b"".join(pieces[1::2])
    if b"\n" in inside:
        return None
    if delimiter not in inside:
        return body
    pieces[1::2] = [piece.replace(delimiter, MASK) for piece in pieces[1::2]]
    return quote.join(pieces)
