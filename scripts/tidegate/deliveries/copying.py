"""Lines of COPY text into one table, in one transaction, whatever form they come in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import psycopg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.deliveries.parsing.rows import Form


class Copying:
    """A COPY that stays open from line to line, and is begun anew where the form changes.

    Lines begin with the columns `own`; `columns` are the contract's. Where a form has a raw record,
    its column is `raw`.
    """

    def __init__(
        self,
        conn: Connection,
        table: sql.Identifier,
        own: Sequence[str],
        columns: Sequence[str],
        raw: str | None = None,
    ) -> None:
        self._conn = conn
        self._table = table
        self._own = tuple(own)
        self._columns = tuple(columns)
        self._raw = (raw,) if raw else ()
        self._form: Form | None = None
        self._open = ExitStack()
        self._copy: psycopg.Copy | None = None

    def write(self, lines: bytes, form: Form) -> None:
        """Send lines; the server works on them while the caller goes on."""
        if self._copy is None or form != self._form:
            self.finish()
            self._form = form
            self._copy = self._open.enter_context(self._conn.cursor().copy(self._statement(form)))
        self._copy.write(lines)

    def finish(self) -> None:
        """Wait until the server has every line; more may follow."""
        self._copy = None
        self._open.close()

    def abandon(self, error: BaseException | None) -> None:
        """End the COPY, where something went wrong."""
        self._copy = None
        if error is not None:
            self._open.__exit__(type(error), error, error.__traceback__)

    def _statement(self, form: Form) -> sql.Composed:
        if form.order is None:
            rest = (*self._raw, *self._columns)
        else:
            rest = tuple(self._columns[place] for place in form.order)
        quote: sql.Composable = sql.SQL("")
        if form.quote:
            quote = sql.SQL(", format csv, quote {}").format(sql.Literal(form.quote.decode()))
        return sql.SQL("copy {} ({}) from stdin (delimiter {}, null {}{})").format(
            self._table,
            sql.SQL(", ").join(map(sql.Identifier, (*self._own, *rest))),
            sql.Literal(form.delimiter.decode()),
            sql.Literal(form.null.decode()),
            quote,
        )
