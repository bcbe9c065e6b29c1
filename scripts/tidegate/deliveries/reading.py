"""The one place that calls the parsers: an artefact under a contract, or one held record again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.contracts.model import DatasetContract
from tidegate.contracts.types import LogicalType
from tidegate.deliveries.artifacts import Artifact, opened
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing import Limits, Reader, SourceColumn, open_records
from tidegate.deliveries.parsing.lines import LineReader
from tidegate.deliveries.parsing.source import Source

Place = tuple[int, int, int]
"""Record number, first and last physical line."""


def source_columns(contract: DatasetContract) -> tuple[SourceColumn, ...]:
    """The contract's columns as a reader needs them."""
    return tuple(
        SourceColumn(
            column.name,
            column.keys.header,
            column.keys.path,
            column.type.logical is LogicalType.JSON,
            None if column.keys.enum is None else frozenset(column.keys.enum),
        )
        for column in contract.columns
    )


@contextmanager
def open_artifact(
    store: Path, artifact: Artifact, contract: DatasetContract, name: str
) -> Iterator[Reader]:
    """A reader over a stored artefact; `name` says whether it should be an archive.

    Raises DeliveryRefused, here or while reading, where the file as a whole is unreadable.
    """
    with opened(store, artifact) as stream:
        yield open_records(
            stream,
            contract.keys.format,
            source_columns(contract),
            compressed=is_archive(name),
            max_expanded_bytes=contract.keys.delivery.max_expanded_bytes,
        )


def tallies(reader: Reader, contract: DatasetContract) -> dict[str, Tally]:
    """What was counted of each contract column that the file has, by its name."""
    return {
        column.name: reader.tallies[place]
        for column, place in zip(contract.columns, reader.layout.positions, strict=True)
        if place is not None and reader.tallies
    }


def is_archive(name: str) -> bool:
    """Whether a file of that name holds its data compressed."""
    return name.endswith(".gz")


def open_held(
    raw: bytes, contract: DatasetContract, header: Sequence[str] | None, encoding: str
) -> Reader:
    """A reader over one quarantined record, under a contract that may have been corrected since.

    A CSV record has no header of its own: the names are those of its artefact, or, where the
    contract declares files without one, the contract's. A JSON record stands alone.
    """
    declared = contract.keys.format
    if isinstance(declared, CsvFormat):
        again = declared.model_copy(update={"encoding": encoding, "header": False})
        return open_records(
            BytesIO(raw),
            again,
            source_columns(contract),
            header=header if declared.header else None,
        )
    # A record of a document may stand on several lines: it is read as an array of one.
    lines = b"\n" not in raw
    document: JsonFormat = declared.model_copy(
        update={"encoding": encoding, "records": "", "type": "jsonl" if lines else "json"}
    )
    text = raw if lines else b"[" + raw + b"]"
    return open_records(BytesIO(text), document, source_columns(contract))


def raw_records(
    stream: BinaryIO, contract: DatasetContract, name: str, places: Iterable[Place]
) -> Iterator[tuple[int, bytes]]:
    """The bytes of records, by the lines they stand on; `places` ascend.

    Readable CSV records are not kept as bytes while reading: this second pass is paid only by
    files that have records to hold.
    """
    limits = Limits()
    source = Source(
        stream,
        contract.keys.format.encoding,
        compressed=is_archive(name),
        max_expanded_bytes=contract.keys.delivery.max_expanded_bytes,
    )
    lines = LineReader(iter(source), limits.record_bytes)
    wanted = iter(places)
    place = next(wanted, None)
    first = 1
    for window in lines:
        if place is None:
            return
        after = first + len(window.lines)
        while place is not None and (place[2] < after or (window.last and place[1] < after)):
            raw = window.joined(place[1] - first, min(place[2] + 1, after) - first)
            yield place[0], raw
            place = next(wanted, None)
        if place is not None and place[1] < after:
            lines.keep(window, place[1] - first)
            first = place[1]
        else:
            first = after
