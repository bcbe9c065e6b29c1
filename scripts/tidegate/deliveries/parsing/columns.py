"""Raw fields of many records, column by column, into COPY text; observers look on.

Working by column lets one search over a joined column decide whether any of its fields needs work
of its own (quotes, escapes, null tokens); most need none.
"""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.deliveries.copytext import NULL
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing.dialect import Dialect
from tidegate.deliveries.parsing.records import Layout

MASK = b"\x01"
"""Stands for a delimiter inside quotes while lines are split; data that holds it is not masked."""


class ColumnWriter:
    """Turns raw fields, row after row in one flat list, into lines of COPY text."""

    def __init__(self, dialect: Dialect, layout: Layout, tallies: Sequence[Tally]) -> None:
        self._dialect = dialect
        self._layout = layout
        self._tallies = tallies
        # A tab needs work even where it is the delimiter: quotes may hold one.
        self._work = (b"\\", b"\t", *filter(None, (dialect.escape,)))
        mark = dialect.quote or b""
        self._quoted_nulls = tuple(mark + token + mark for token in dialect.null_tokens)
        self._tokens = tuple(dialect.null_tokens - {b""})
        self._wrapped = tuple(b"\n" + token + b"\n" for token in self._tokens)

    def copy(
        self,
        prefixes: list[bytes],
        flat: Sequence[bytes],
        *,
        regular: bool = False,
        hidden: bool = False,
    ) -> bytes:
        """One line a record: its prefix, then the contract's columns.

        `regular`: no field holds a newline or a quote inside quotes. `hidden`: `MASK` stands for
        the delimiter; elsewhere that byte is data like any other.
        """
        width = len(self._layout.fields)
        columns = [
            self._column(flat[place::width], place, regular, hidden) for place in range(width)
        ]
        nothing = [NULL] * len(prefixes)
        chosen = [nothing if place is None else columns[place] for place in self._layout.positions]
        return b"\n".join(map(b"\t".join, zip(prefixes, *chosen, strict=True))) + b"\n"

    def _column(
        self, tokens: Sequence[bytes], place: int, regular: bool, hidden: bool
    ) -> Sequence[bytes]:
        joined = b"\n".join(tokens)
        if hidden and MASK in joined:
            joined = joined.replace(MASK, self._dialect.delimiter)
            tokens = joined.split(b"\n")
        quote = self._dialect.quote
        if self._dialect.trim or any(mark in joined for mark in self._work):
            tokens, joined = self._one_by_one(tokens)
        elif quote and quote in joined:
            # Quotes can go all at once, unless they keep a field from being null.
            if not regular or any(null in joined for null in self._quoted_nulls):
                tokens, joined = self._one_by_one(tokens)
            else:
                joined = joined.replace(quote, b"")
                tokens, joined = self._nulls(joined.split(b"\n"), joined)
        else:
            tokens, joined = self._nulls(tokens, joined)
        if self._tallies:
            self._tallies[place].add(tokens, joined)
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
