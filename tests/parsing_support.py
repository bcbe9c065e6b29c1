"""Reading literals with the product's readers, for tests."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.deliveries.parsing import (
    Limits,
    Malformed,
    Reader,
    Record,
    SourceColumn,
    open_records,
    records,
)


@dataclass
class Outcome:
    """Everything a reader gave, and the reader."""

    reader: Reader
    records: list[Record] = field(default_factory=list)
    malformed: list[Malformed] = field(default_factory=list)

    @property
    def rows(self) -> list[tuple[str | None, ...]]:
        """The values of the readable records."""
        return [record.values for record in self.records]

    @property
    def held(self) -> list[tuple[int, str, bytes]]:
        """Record number, reason and raw bytes of the malformed ones."""
        return [(bad.record_number, bad.reason.value, bad.raw) for bad in self.malformed]

    @property
    def ranges(self) -> list[tuple[int, int, int]]:
        """Record number and line range of all, in file order."""
        every = [*self.records, *self.malformed]
        return sorted((one.record_number, one.line_start, one.line_end) for one in every)


def read(reader: Reader) -> Outcome:
    """Exhaust a reader."""
    outcome = Outcome(reader)
    for batch in reader:
        outcome.records.extend(records(batch))
        outcome.malformed.extend(batch.malformed)
    return outcome


def read_csv(
    data: bytes,
    names: Sequence[str | SourceColumn],
    *,
    limits: Limits | None = None,
    compressed: bool = False,
    max_expanded_bytes: int = 1 << 30,
    header_names: Sequence[str] | None = None,
    **declared: Any,
) -> Outcome:
    """Read bytes as the CSV of a contract with the given columns."""
    return read(
        open_records(
            io.BytesIO(data),
            CsvFormat(type="csv", **declared),
            [SourceColumn(one) if isinstance(one, str) else one for one in names],
            limits=limits,
            compressed=compressed,
            max_expanded_bytes=max_expanded_bytes,
            header=header_names,
        )
    )


def read_json(
    data: bytes,
    columns: Sequence[SourceColumn | str],
    *,
    kind: str = "jsonl",
    limits: Limits | None = None,
    **declared: Any,
) -> Outcome:
    """Read bytes as the JSON Lines or the JSON document of a contract."""
    return read(
        open_records(
            io.BytesIO(data),
            JsonFormat(type=kind, **declared),
            [SourceColumn(one) if isinstance(one, str) else one for one in columns],
            limits=limits,
        )
    )
