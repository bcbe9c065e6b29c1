"""What landing knows of a record: the one place that calls the parsers.

Everything that comes out is either a `Record` (fields in the order of `Layout.names`) or `Held`
(bytes that are no record, with the reason). A file that cannot be read as a whole raises
`Unreadable`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from tidegate.contracts.keys import CsvFormat, JsonFormat


@dataclass(frozen=True)
class Record:
    """One record: one-based number, physical lines, its bytes, and its fields as text or null."""

    number: int
    line_from: int
    line_to: int
    raw: bytes
    fields: tuple[str | None, ...]


@dataclass(frozen=True)
class Held:
    """Bytes that are no record."""

    number: int
    line_from: int
    line_to: int
    raw: bytes
    reason: str


class Unreadable(Exception):
    """The whole file cannot be read as records; `reason` is a code, `detail` a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class Wanted:
    """A column as the parser needs it: name, where it stands in JSON, its name in a header."""

    name: str
    path: str | None = None
    header: str | None = None


def read(
    stream: BinaryIO, form: CsvFormat | JsonFormat, columns: tuple[Wanted, ...]
) -> tuple[tuple[str, ...], Iterator[Record | Held]]:
    """The names of the fields, and the records."""
    if isinstance(form, CsvFormat):
        return _csv(stream, form, columns)
    return tuple(column.name for column in columns), _json(stream, form, columns)


def _csv(
    stream: BinaryIO, form: CsvFormat, columns: tuple[Wanted, ...]
) -> tuple[tuple[str, ...], Iterator[Record | Held]]:
    text = stream.read().decode(form.encoding)
    if not text:
        raise Unreadable("empty_file", "The file has no bytes.")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=form.delimiter, strict=True)
    names = tuple(column.name for column in columns)
    if form.header:
        wanted = {column.header or column.name: column.name for column in columns}
        names = tuple(wanted.get(name, name) for name in next(rows))
        if len(set(names)) != len(names):
            raise Unreadable("duplicate_header", "A name stands twice in the header.")

    def records() -> Iterator[Record | Held]:
        line = rows.line_num
        for number, row in enumerate(rows, 1):
            raw = form.delimiter.join(row).encode(form.encoding)
            first, line = line + 1, rows.line_num
            if len(row) != len(names):
                reason = "too_many_fields" if len(row) > len(names) else "too_few_fields"
                yield Held(number, first, line, raw, reason)
                continue
            fields = tuple(None if value in form.null_tokens else value for value in row)
            yield Record(number, first, line, raw, fields)

    return names, records()


def _json(stream: BinaryIO, form: JsonFormat, columns: tuple[Wanted, ...]) -> Iterator[Record]:
    text = stream.read().decode(form.encoding)
    if form.type == "jsonl":
        documents = [
            json.loads(line, parse_float=str, parse_int=int) for line in text.split("\n") if line
        ]
    else:
        document = _at(json.loads(text), form.records)
        documents = document if isinstance(document, list) else [document]
    for number, document in enumerate(documents, 1):
        raw = json.dumps(document, ensure_ascii=False).encode()
        fields = tuple(
            _text(_at(document, f"/{column.name}" if column.path is None else column.path))
            for column in columns
        )
        yield Record(number, number, number, raw, fields)


def _at(value: object, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
