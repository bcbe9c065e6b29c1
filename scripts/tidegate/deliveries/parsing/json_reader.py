"""JSON Lines and JSON documents in bounded memory: one record a line, or one an array element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tidegate.contracts.keys import JsonFormat
from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.kinds import Kind, kind_of, temporal_kind
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing import json_strict
from tidegate.deliveries.parsing.json_document import DocumentReader
from tidegate.deliveries.parsing.json_strict import (
    MISSING,
    JsonProblem,
    Number,
    StrictDecoder,
    Value,
)
from tidegate.deliveries.parsing.lines import LineReader
from tidegate.deliveries.parsing.raw import RawRecord
from tidegate.deliveries.parsing.records import (
    MAX_NAME,
    WIDE,
    Batch,
    Layout,
    Limits,
    Malformed,
    Refusal,
    SourceColumn,
    too_wide,
)
from tidegate.deliveries.parsing.source import Source
from tidegate.deliveries.reasons import Reason

_BATCH_RECORDS = 2000
_BATCH_BYTES = 1 << 20


class JsonReader:
    """Iterate over it once for batches; afterwards layout, counts and observers are complete."""

    def __init__(
        self,
        source: Source,
        declared: JsonFormat,
        columns: Sequence[SourceColumn],
        *,
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.encoding = source.codec
        self.bom = source.bom
        self.refusal: Refusal | None = None
        self.blank_lines = 0
        self.comment_lines = 0
        self.records_read = 0
        self._source = source
        self._declared = declared
        self._columns = columns
        self._paths = [
            (column.name,) if column.path is None else json_strict.pointer(column.path)
            for column in columns
        ]
        self._takes_whole = any(not path for path in self._paths)
        self._known = {path[0] for path in self._paths if path}
        self._needs_object = any(self._paths)
        self._present = [False] * len(columns)
        self._unknown: dict[str, Tally] = {}
        self._readable = 0
        self._tallies = [Tally(column.name) for column in columns]

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """One per contract column, then one per unknown member in order of appearance."""
        for tally in self._unknown.values():
            # Most records have few of the members that any has: what none counted is null.
            tally.nulls = self._readable - sum(tally.kinds.values())
        return (*self._tallies, *self._unknown.values())

    @property
    def layout(self) -> Layout:
        """Members have no order: only missing and unknown names can differ."""
        names = tuple(column.name for column in self._columns)
        read = self._readable > 0
        return Layout(
            fields=(*names, *self._unknown),
            positions=tuple(range(len(names))),
            missing=tuple(
                name
                for name, present in zip(names, self._present, strict=True)
                if read and not present
            ),
            unknown=tuple(self._unknown),
        )

    def __iter__(self) -> Iterator[Batch]:
        lines: list[bytes] = []
        malformed: list[Malformed] = []
        size = 0
        for record in self._records():
            self.records_read += 1
            problem = record.problem or self._misfit(record)
            if problem:
                kept = record.raw[: self.limits.raw_bytes]
                cut = len(kept) < len(record.raw)
                where = (self.records_read, record.line_start, record.line_end)
                malformed.append(Malformed(*where, problem, kept, cut))
                size += len(kept)
            else:
                lines.append(self._line(record))
                self._readable += 1
                size += len(lines[-1])
            if len(lines) + len(malformed) >= _BATCH_RECORDS or size >= _BATCH_BYTES:
                yield Batch(b"".join(lines), len(lines), tuple(malformed))
                lines, malformed, size = [], [], 0
        if lines or malformed:
            yield Batch(b"".join(lines), len(lines), tuple(malformed))

    def _records(self) -> Iterator[RawRecord]:
        if self._declared.type == "jsonl":
            return self._lines()
        return iter(DocumentReader(self._source, self._declared.records, self.limits))

    def _lines(self) -> Iterator[RawRecord]:
        decoder = StrictDecoder(self.limits.json_depth)
        number = 0
        reader = LineReader(iter(self._source), self.limits.record_bytes, lone_cr=False)
        for window in reader:
            for line in window.lines:
                number += 1
                if window.oversized:
                    yield RawRecord(number, number, line, "", None, Reason.FIELD_TOO_LARGE)
                elif line.strip(b" \t\r"):
                    yield self._line_record(decoder, number, line)
                else:
                    self.blank_lines += 1

    def _line_record(self, decoder: StrictDecoder, number: int, line: bytes) -> RawRecord:
        try:
            text = line.decode(self.encoding)
        except UnicodeDecodeError:
            return RawRecord(number, number, line, "", None, Reason.INVALID_ENCODING)
        try:
            return RawRecord(number, number, line, text.strip(" \t\r"), decoder.whole(text))
        except JsonProblem as problem:
            return RawRecord(number, number, line, text, None, problem.reason)

    def _misfit(self, record: RawRecord) -> Reason | None:
        """Why a readable value is no record of this dataset."""
        if self._needs_object and not isinstance(record.value, dict):
            return Reason.NOT_AN_OBJECT
        if not self._fits(record.value):
            return Reason.FIELD_TOO_LARGE
        if "\\u0000" in record.text and json_strict.holds_nul(record.value):
            return Reason.NUL_BYTE
        return None

    def _line(self, record: RawRecord) -> bytes:
        fields = [
            b"%d" % self.records_read,
            b"%d" % record.line_start,
            b"%d" % record.line_end,
            escape(record.text.encode()),
        ]
        for place, path in enumerate(self._paths):
            found = json_strict.resolve(record.value, path)
            if found is not MISSING:
                self._present[place] = True
            value: Value = None if found is MISSING else found  # type: ignore[assignment]
            text = self._text(place, value)
            _count(self._tallies[place], value)
            fields.append(NULL if text is None else escape(text.encode()))
        if not self._takes_whole and isinstance(record.value, dict):
            self._note_unknown(record.value)
        return b"\t".join(fields) + b"\n"

    def _text(self, place: int, value: Value) -> str | None:
        """A member as the text of its column."""
        if value is not None and self._columns[place].is_json:
            return json_strict.as_json(value)
        return json_strict.as_text(value)

    def _fits(self, value: Value) -> bool:
        """Whether names and members fit into what the ledger and a row hold."""
        if (
            isinstance(value, dict)
            and not self._takes_whole
            and max(map(len, value), default=0) > MAX_NAME
        ):
            return False
        if len(self._paths) <= WIDE:
            return True
        found = [json_strict.resolve(value, path) for path in self._paths]
        texts = [None if one is MISSING else self._text(n, one) for n, one in enumerate(found)]  # type: ignore[arg-type]
        return not too_wide([(text or "").encode() for text in texts])

    def _note_unknown(self, record: dict[str, Value]) -> None:
        if record.keys() <= self._known:
            return
        for name, value in record.items():
            if name not in self._known:
                _count(self._unknown.setdefault(name, Tally(name)), value)


def _count(tally: Tally, value: Value) -> None:
    """Count a value by its JSON type; only a string may hide a date, and none hides a number."""
    if value is None:
        tally.add_nulls(1)
    elif isinstance(value, Number):
        kind = kind_of(value.encode())
        tally.add_one(kind if kind is Kind.INTEGER else Kind.NUMBER, value)
        tally.exponents += "e" in value or "E" in value
    elif isinstance(value, bool):
        tally.add_one(Kind.BOOLEAN, "true" if value else "false")
    elif isinstance(value, str):
        tally.add_one(temporal_kind(value.encode()) if len(value) <= 35 else Kind.TEXT, value)
    else:
        tally.add_one(Kind.JSON, json_strict.as_json(value))
