"""What the parser yields, written: to the stage, to the held records, or straight to the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType

from psycopg import sql

from tidegate.connection import Connection
from tidegate.deliveries.copying import Copying
from tidegate.deliveries.loading import Loading
from tidegate.deliveries.parsing import Batch, Malformed
from tidegate.deliveries.staging import Stage

_HELD_BYTES = 8 << 20
"""How much of held records waits in memory: one connection cannot write two tables at once."""
_RECORD_BYTES = 400
"""What a held record takes beside its bytes: a file may have millions of the shortest ones."""


@dataclass(frozen=True)
class Filled:
    """How many records were read, and how many of them are held already."""

    read: int
    held: int


def fill(
    conn: Connection, stage: Stage, batches: Iterable[Batch], loading: Loading | None = None
) -> Filled:
    """Write every record, in memory bounded by a batch and what waits to be held."""
    read = 0
    with _Sink(conn, stage) as sink:
        for batch in batches:
            read += batch.read
            if loading and loading.takes(batch):
                loading.write(batch)
            elif batch.rows:
                sink.stage(batch)
            sink.hold(batch.malformed)
    if loading:
        loading.finish()
    return Filled(read, sink.held)


class _Sink:
    """The two tables of a stage, written in turn over one connection."""

    def __init__(self, conn: Connection, stage: Stage) -> None:
        self.held = 0
        self._conn = conn
        self._stage = stage
        self._copying = Copying(
            conn,
            stage.records,
            ("_record_number", "_line_from", "_line_to"),
            [column.name for column in stage.columns],
            "_raw",
        )
        self._waiting: list[Malformed] = []
        self._bytes = 0

    def __enter__(self) -> _Sink:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush()
        else:
            self._copying.abandon(error)

    def stage(self, batch: Batch) -> None:
        """Write readable records as text."""
        self._copying.write(batch.staged, batch.form)

    def hold(self, malformed: Sequence[Malformed]) -> None:
        """Keep records that could not be read until the COPY can be interrupted."""
        self._waiting.extend(malformed)
        self._bytes += sum(len(one.raw) + _RECORD_BYTES for one in malformed)
        if self._bytes > _HELD_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._copying.finish()
        _hold(self._conn, self._stage, self._waiting)
        self.held += len(self._waiting)
        self._waiting, self._bytes = [], 0


def _hold(conn: Connection, stage: Stage, malformed: Sequence[Malformed]) -> None:
    """Write records that could not be read."""
    if not malformed:
        return
    with (
        conn.cursor() as cursor,
        cursor.copy(sql.SQL("copy {} from stdin").format(stage.held)) as copy,
    ):
        for one in malformed:
            copy.write_row(
                (
                    one.record_number,
                    one.line_start,
                    one.line_end,
                    one.reason.value,
                    None,
                    one.raw,
                    one.raw_truncated,
                )
            )
