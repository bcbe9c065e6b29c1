"""One way in for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol

from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing.csv_reader import CsvReader
from tidegate.deliveries.parsing.json_reader import JsonReader
from tidegate.deliveries.parsing.records import Batch, Layout, Limits, Refusal, SourceColumn
from tidegate.deliveries.parsing.source import Source


class Reader(Protocol):
    """What every reader offers; complete once it has been iterated over, which is possible once.

    `refusal`: the delivery must be rejected, and each of its records came as malformed under that
    reason. `encoding`: of `Malformed.raw`. `bom`: a byte order mark was removed.
    """

    refusal: Refusal | None
    encoding: str
    bom: bool
    blank_lines: int
    comment_lines: int
    records_read: int

    def __iter__(self) -> Iterator[Batch]: ...

    @property
    def layout(self) -> Layout:
        """How the file meets the contract; for JSON complete only at the end."""

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """What was observed: one per field, in the order of `layout.fields`."""


def open_records(
    stream: BinaryIO,
    declared: CsvFormat | JsonFormat,
    columns: Sequence[SourceColumn],
    *,
    compressed: bool = False,
    max_expanded_bytes: int = 4 << 30,
    header: Sequence[str] | None = None,
    limits: Limits | None = None,
    observe: bool = True,
) -> Reader:
    """Open an artefact for reading; `compressed` says that its name ends in `.gz`.

    `header` names the fields of a stream that has none of its own: held raw records are read again
    with the header of their artefact. Raises DeliveryRefused, here or while reading, where the
    artefact as a whole is unreadable; then nothing of it may be accepted.
    """
    bounds = limits or Limits()
    source = Source(
        stream,
        declared.encoding,
        compressed=compressed,
        max_expanded_bytes=max_expanded_bytes,
        block_bytes=bounds.chunk_bytes,
    )
    if isinstance(declared, JsonFormat):
        return JsonReader(source, declared, columns, limits=bounds)
    return CsvReader(source, declared, columns, header=header, limits=bounds, observe=observe)
