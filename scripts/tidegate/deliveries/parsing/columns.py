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


class ColumnWriter:
    """Turns raw fields, row after row in one flat list, into lines of COPY text."""

    def __init__(self, dialect: Dialect, layout: Layout, tallies: Sequence[Tally]) -> None:
        self._dialect = dialect
        self._layout = layout
        self._tallies = tallies
        marks = [
            dialect.quote,
            dialect.escape,
            b"\\",
            b"\t" if dialect.delimiter != b"\t" else None,
        ]
        self._marks = tuple(mark for mark in marks if mark)
        self._tokens = tuple(dialect.null_tokens - {b""})
        self._wrapped = tuple(b"\n" + token + b"\n" for token in self._tokens)

    def copy(self, prefixes: list[bytes], flat: Sequence[bytes]) -> bytes:
        """One line a record: its prefix, then the contract's columns."""
        width = len(self._layout.fields)
        columns = [self._column(flat[place::width], place) for place in range(width)]
        nothing = [NULL] * len(prefixes)
        chosen = [nothing if place is None else columns[place] for place in self._layout.positions]
        return b"\n".join(map(b"\t".join, zip(prefixes, *chosen, strict=True))) + b"\n"

    def _column(self, tokens: Sequence[bytes], place: int) -> Sequence[bytes]:
        joined = b"\n".join(tokens)
        if self._dialect.trim or any(mark in joined for mark in self._marks):
            text = self._dialect.text
            tokens = [text(token) for token in tokens]
            joined = b"\n".join(tokens)
        else:
            replaced = self._nulls(tokens, joined)
            if replaced is not tokens:
                tokens, joined = replaced, b"\n".join(replaced)
        if self._tallies:
            self._tallies[place].add(tokens, joined)
        return tokens

    def _nulls(self, tokens: Sequence[bytes], joined: bytes) -> Sequence[bytes]:
        """Null for each token that means null, where there is any; else the same object."""
        empties = b"" in self._dialect.null_tokens and (
            not joined or joined[:1] == b"\n" or joined[-1:] == b"\n" or b"\n\n" in joined
        )
        wrapped = b"\n" + joined + b"\n" if self._wrapped else b""
        if any(token in wrapped for token in self._wrapped):
            null = self._dialect.null_tokens
            return [NULL if token in null else token for token in tokens]
        return [token or NULL for token in tokens] if empties else tokens
