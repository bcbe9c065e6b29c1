"""Rows that need no judging go straight into their typed table, in the transaction that accepts.

A batch of which observation proved every column is copied as it is; all others are staged as text
and judged by the server. Both ways end in the same rows; this one writes them once. The rows are
on a connection of their own, uncommitted until the acceptance commits; whatever else happens, its
end takes them back.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import layouts, materializations, proof
from tidegate.deliveries.copying import Copying
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing import Batch
from tidegate.deliveries.runs import Run
from tidegate.deliveries.staging import Column, Stage
from tidegate.deliveries.waiting import lock_timeout
from tidegate.warehouse import Warehouse

_SEND_BUFFER = 1 << 20
"""Bytes on their way to the server, so that reading goes on meanwhile; the system may cap it."""


class Loading:
    """A COPY into the typed table, open from the first batch to `finish`.

    `conn` holds the transaction, `rows` counts what was written, `materialization_id` is the number
    under which they will be accepted.
    """

    def __init__(
        self, conn: Connection, stage: Stage, run: Run, table: layouts.Layout, number: int
    ) -> None:
        self.conn = conn
        self.materialization_id = number
        self.rows = 0
        self._columns = stage.columns
        self._constants = (number, run.delivery_id)
        self._copying = Copying(
            conn,
            sql.Identifier(layouts.ROWS, table.relation),
            ("_record_number", "_materialization_id", "_delivery_id"),
            [column.name for column in stage.columns],
        )

    def takes(self, batch: Batch) -> bool:
        """Whether the batch can be copied as it is: a column that the file lacks is not proved."""
        return (
            batch.table is not None
            and batch.tallies != ()
            and all(
                tally is not None and _conforms(column, tally)
                for column, tally in zip(self._columns, batch.tallies, strict=True)
            )
        )

    def write(self, batch: Batch) -> None:
        """Copy a batch that `takes` was true for; the server works on it while the next is read."""
        assert batch.table is not None  # noqa: S101 (takes said so)
        self._copying.write(batch.table.numbered(self._constants), batch.form)
        self.rows += batch.rows

    def finish(self) -> None:
        """Wait until the server has every row."""
        self._copying.finish()

    def commit(self) -> None:
        """Keep the rows, and what was written with them."""
        self.conn.commit()

    def discard(self) -> None:
        """Take the rows back."""
        self.conn.rollback()
        self.rows = 0

    def abandon(self, error: BaseException) -> None:
        """End the COPY, where something went wrong."""
        self._copying.abandon(error)


@contextmanager
def opened(
    warehouse: Warehouse, stage: Stage, run: Run, contract: DatasetContract
) -> Iterator[Loading | None]:
    """A way to load rows of the run directly; None where its table is still to be made."""
    with warehouse.connect(
        application_name="tidegate land rows", autocommit=False, lock_timeout=lock_timeout()
    ) as conn:
        table = layouts.find(conn, contract)
        number = materializations.draw(conn, run, contract, table) if table else None
        if table is None or number is None:
            conn.rollback()
            yield None
            return
        loading = Loading(conn, stage, run, table, number)
        with socket.socket(fileno=os.dup(conn.fileno())) as end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        try:
            yield loading
        except BaseException as error:
            loading.abandon(error)
            raise
        finally:
            conn.rollback()


def _conforms(column: Column, tally: Tally) -> bool:
    enum = column.keys.enum
    return (
        (not column.required or proof.no_nulls(tally))
        and column.fits_key(tally)
        and (enum is None or proof.inside(tally, enum))
        and proof.all_convert(tally, column.type, column.keys.parse)
    )
