"""What the readers take and give: columns, limits, batches, malformed records, refusals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tidegate.deliveries.copytext import unescape
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing.rows import WRITTEN, Form, Rows
from tidegate.deliveries.reasons import Reason
from tidegate.errors import Rejected

MAX_NAME = 500
"""Characters of a name that a partner gives; the ledger has an index over names of changes."""
WIDE = 300
"""Up to so many columns any record fits into a row of PostgreSQL: long values are kept outside."""
_ROW_BYTES = 8000
_INLINE = 24
_POINTER = 18


def too_wide(fields: Sequence[bytes]) -> bool:
    """Whether a record cannot be a row of PostgreSQL, which has to fit into a page (case A24).

    A value of more than 24 bytes is kept outside of the row, for a pointer of 18.
    """
    if len(fields) <= WIDE:
        return False
    sizes = (len(field) + 1 for field in fields)
    row = sum(size if size <= _INLINE else _POINTER for size in sizes)
    return row + len(fields) // 8 > _ROW_BYTES


@dataclass(frozen=True)
class SourceColumn:
    """A column of the contract, as a reader needs to know it.

    `header` is its name in a CSV header where that differs; `path` its RFC 6901 pointer in a JSON
    record (None: a member of the column's name); `is_json` keeps strings quoted, as JSON text.
    `closed` is the source's closed set of values, if it has one.
    """

    name: str
    header: str | None = None
    path: str | None = None
    is_json: bool = False
    closed: frozenset[str] | None = None


@dataclass(frozen=True)
class Limits:
    """Bounds of memory, in bytes and physical lines; beyond them a record is held."""

    chunk_bytes: int = 1 << 19
    field_bytes: int = 16 << 20
    record_bytes: int = 32 << 20
    record_lines: int = 1000
    raw_bytes: int = 16 << 20
    """How much of a malformed record is handed on; the artefact has all of it."""
    json_depth: int = 256


@dataclass(frozen=True)
class Malformed:
    """A record that cannot be read: where it stands, why, and its bytes without the line end.

    `raw` is in the file's own encoding (after decompression), cut at `Limits.raw_bytes`.
    """

    record_number: int
    line_start: int
    line_end: int
    reason: Reason
    raw: bytes = field(repr=False)
    raw_truncated: bool = False


@dataclass(frozen=True)
class Batch:
    """Some records in file order: readable ones as text or as a table, the others beside them.

    `tallies` are those of the table alone, one per contract column (None where the file has none);
    without a table nothing is said.
    """

    text: bytes = field(repr=False)
    rows: int
    malformed: tuple[Malformed, ...] = ()
    table: Rows | None = field(default=None, repr=False)
    tallies: tuple[Tally | None, ...] = ()

    @property
    def form(self) -> Form:
        """How `staged` is written."""
        return self.table.form if self.table else WRITTEN

    @property
    def staged(self) -> bytes:
        """`rows` lines of COPY text, each with its newline.

        A line is: record number, line start, line end, then what `form` says.
        """
        return self.table.staged() if self.table else self.text

    @property
    def copy(self) -> bytes:
        """The same written out: after the places raw (verbatim JSON; null for CSV), then one text
        per contract column in contract order.
        """
        return self.table.written().staged() if self.table else self.text

    @property
    def read(self) -> int:
        """Readable and malformed records together."""
        return self.rows + len(self.malformed)


@dataclass(frozen=True)
class Refusal:
    """Why a whole delivery is refused; `detail` names places and field names, never values."""

    reason: Reason
    detail: str

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.detail}"


class DeliveryRefused(Rejected):
    """The delivery turned out unreadable while it was being read: nothing of it may be accepted."""

    code = "delivery_refused"

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(
            f"{refusal}.", remedy="Ask the producer for the file again, or correct the contract."
        )


@dataclass(frozen=True)
class Layout:
    """How the fields of the file meet the columns of the contract.

    `fields` are the names as the file has them; `positions` holds, per contract column, its
    zero-based position in the file or None. A difference is drift for the classifier, no error.
    """

    fields: tuple[str, ...]
    positions: tuple[int | None, ...]
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    reordered: bool = False


@dataclass(frozen=True)
class Record:
    """A readable record as Python sees it; null is None."""

    record_number: int
    line_start: int
    line_end: int
    raw: str | None = field(repr=False)
    values: tuple[str | None, ...] = field(repr=False)


def records(batch: Batch) -> Iterator[Record]:
    """The readable records of a batch one by one: for few records, not for millions."""
    for line in batch.copy.split(b"\n")[:-1]:
        number, start, end, raw, *values = line.split(b"\t")
        yield Record(int(number), int(start), int(end), unescape(raw), tuple(map(unescape, values)))
