"""A delivered file as the relation that a contract is drafted from: every record is looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tidegate.contracts.draft import DraftColumn, DraftRelation
from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.contracts.types import LogicalType, parse_type
from tidegate.deliveries.copytext import unescape
from tidegate.deliveries.drafting.clues import Clues, Declared
from tidegate.deliveries.drafting.sniff import Form, sniff, unreadable
from tidegate.deliveries.naming import column_name, plain
from tidegate.deliveries.observe import ObservedColumn
from tidegate.deliveries.parsing import DeliveryRefused, Reader, SourceColumn, open_records
from tidegate.deliveries.reading import is_archive
from tidegate.errors import UsageError
from tidegate.rules.jsontext import pointer
from tidegate.shapes.sensitive import looks_sensitive

_PLACES = 4
"""Record number, first and last line, raw text stand before the columns of a line of COPY text."""
_KEY_LOOKED_AT = 100_000
"""Records in which a value that stands twice is looked for."""
_KEY_WORDS = frozenset(("id", "key", "code", "no", "nr", "number", "uuid", "sku", "isin", "lei"))
"""What a key is called; in a small file any column may have no value twice."""


@dataclass(frozen=True)
class FileDraft:
    """The relation, and what a person should know of the file; notes never hold a value."""

    relation: DraftRelation
    records: int
    notes: tuple[str, ...]


@dataclass
class _Seen:
    """What is collected of one column beside its tally."""

    clues: Clues | None
    values: set[int] | None = field(default_factory=set)
    """Hashes of values while none stands twice."""


def draft_file(path: Path, name: str | None = None) -> FileDraft:
    """Read the whole file and say what its contract might be; `name` of the dataset, or the file's.

    Raises UsageError where the file cannot be read as records.
    """
    form = sniff(path)
    try:
        names = form.header or _members(path, form.declared)
        reader, seen = _read(path, form, names)
    except DeliveryRefused as refused:
        raise unreadable(path, refused) from None
    if not names or reader.records_read == 0:
        raise UsageError(f"{path} has no records.", remedy="Take a delivery with records.")
    notes = [*form.notes]
    columns: list[DraftColumn] = []
    for place, (header, tally) in enumerate(zip(names, reader.tallies, strict=False)):
        called = column_name(header, [column.name for column in columns])
        column, said = _column(called, header, tally.observed(), seen[place].clues, form.declared)
        columns.append(column)
        notes.extend(f"{called}: {note}" for note in said)
    key = _key(columns, seen)
    if key:
        notes.append(f"{key}: no value stands twice, so it was taken for the key")
    full = [
        column.name
        for column, tally in zip(columns, reader.tallies, strict=False)
        if not tally.nulls and tally.kinds and column.name != key
    ]
    if full:
        notes.append(f"never empty, so perhaps `required: true`: {', '.join(full)}")
    relation = DraftRelation(
        name=name or _dataset_name(path),
        comment="",
        columns=columns,
        key=(key,) if key else (),
        format=form.declared.model_dump(exclude_defaults=True, mode="json"),
        match=_match(path),
    )
    return FileDraft(relation, reader.records_read, tuple(notes))


def _members(path: Path, declared: CsvFormat | JsonFormat) -> tuple[str, ...]:
    """The names of all members that any JSON record has, in order of appearance."""
    with path.open("rb") as stream:
        reader = open_records(stream, declared, (), compressed=is_archive(path.name))
        for _ in reader:
            pass
    return reader.layout.unknown


def _read(path: Path, form: Form, names: Sequence[str]) -> tuple[Reader, list[_Seen]]:
    columns = [
        SourceColumn(f"c{place}", header=name, path=pointer(name))
        for place, name in enumerate(names)
    ]
    seen = [_Seen(Clues(numbers=isinstance(form.declared, CsvFormat))) for _ in names]
    with path.open("rb") as stream:
        reader = open_records(
            stream,
            form.declared,
            columns,
            compressed=is_archive(path.name),
        )
        for batch in reader:
            for line in batch.copy.split(b"\n")[:-1]:
                _look(line.split(b"\t")[_PLACES:], seen, reader.records_read <= _KEY_LOOKED_AT)
    return reader, seen


def _look(fields: Sequence[bytes], seen: Sequence[_Seen], early: bool) -> None:
    for value, column in zip(fields, seen, strict=True):
        if column.clues is None and column.values is None:
            continue
        text = unescape(value)
        if column.values is not None and early:
            size = len(column.values)
            column.values.add(hash(text))
            if text is None or len(column.values) == size:
                column.values = None
        if column.clues is not None and text is not None:
            column.clues.add(text)
            if column.clues.spent:
                column.clues = None


def _key(columns: Sequence[DraftColumn], seen: Sequence[_Seen]) -> str | None:
    """The first column that is called like a key and of which every record has its own value."""
    for column, found in zip(columns, seen, strict=True):
        words = column.name.split("_")
        if found.values and len(found.values) > 1 and not _KEY_WORDS.isdisjoint(words):
            return column.name
    return None


def _column(
    name: str,
    header: str,
    seen: ObservedColumn,
    clues: Clues | None,
    declared: CsvFormat | JsonFormat,
) -> tuple[DraftColumn, list[str]]:
    notes = []
    form = Declared(seen.type.sql)
    if not seen.values:
        form = Declared("text")
        notes.append("no record has a value")
    elif seen.logical is LogicalType.STRING:
        form = clues.declared() if clues and not seen.leading_zeros else Declared("text")
    wrong = seen.values - seen.support[seen.logical] if seen.values else 0
    if wrong:
        notes.append(f"{wrong} of {seen.values} values are no {seen.type.sql} and would be held")
    if form.doubt:
        notes.append(form.doubt)
    keys: dict[str, Any] = {}
    if header != name and isinstance(declared, JsonFormat):
        keys["path"] = pointer(header)
    elif header != name and isinstance(declared, CsvFormat) and declared.header:
        keys["header"] = header
    if form.parse:
        keys["parse"] = form.parse
    if looks_sensitive(name):
        notes.append("reads like data about persons, so perhaps `sensitivity: sensitive`")
    return DraftColumn(name, parse_type(form.data_type), True, "", keys), notes


def _dataset_name(path: Path) -> str:
    """The file's name without its ending, and without the number or date that tells deliveries."""
    name = plain(_stem(path))
    if not name or name[0].isdigit():
        raise UsageError(
            f"{path} gives no name for a dataset.",
            remedy="Give --name.",
        )
    return name


def _stem(path: Path) -> str:
    whole = Path(path.name.removesuffix(".gz")).stem
    return re.sub(r"[-_. ]*[0-9][-0-9_.T]*$", "", whole) or whole


def _match(path: Path) -> str:
    return f"{_stem(path)}*{Path(path.name.removesuffix('.gz')).suffix}"
