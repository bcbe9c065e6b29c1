"""How a file seems to be written: encoding, format, delimiter, quotes, header, place of records."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.deliveries.kinds import Kind, kind_of
from tidegate.deliveries.parsing import DeliveryRefused, SourceColumn, open_records
from tidegate.deliveries.parsing.header import header_problem
from tidegate.deliveries.parsing.source import check_archive
from tidegate.deliveries.reading import is_archive
from tidegate.errors import UsageError

_MAGIC = 8
_LOOKED_AT = 1 << 20
"""Bytes that tell the format; the columns are told by the whole file."""
_DELIMITERS = (",", ";", "\t", "|")
_FEW = 0.1
"""A delimiter that leaves more records unreadable than this is not the file's."""
_WIDE_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_JSON = (".json", ".jsonl", ".ndjson")
_DEEPEST = 3


@dataclass(frozen=True)
class Form:
    """What `format` of a contract says of the file; `header` are its names, for CSV alone."""

    declared: CsvFormat | JsonFormat
    header: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def sniff(path: Path) -> Form:
    """What the file's beginning says about its form.

    Raises UsageError where it cannot be read, is empty, is no text, or has a header of which
    columns cannot be told apart.
    """
    sample, whole = _beginning(path)
    plain = path.name.removesuffix(".gz")
    encoding = _encoding(sample)
    notes = () if encoding == "utf-8" else (f"The file is not UTF-8; {encoding} was taken for it.",)
    text = sample.decode(encoding, errors="ignore").lstrip("\ufeff")
    if text.lstrip()[:1] in ("{", "[") or plain.endswith(_JSON):
        found = _json(path, text.lstrip(), encoding, whole)
        place = (f"The records were taken from {found.records}.",) if found.records else ()
        return Form(found, notes=(*notes, *place))
    if not whole:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
    return _csv(path, text, encoding, notes)


def _beginning(path: Path) -> tuple[bytes, bool]:
    """The first bytes, unpacked, and whether they are all."""
    try:
        with path.open("rb") as stream:
            check_archive(stream.read(_MAGIC), is_archive(path.name))
        with gzip.open(path) if is_archive(path.name) else path.open("rb") as stream:
            found = stream.read(_LOOKED_AT + 1)
    except DeliveryRefused as refused:
        raise unreadable(path, refused) from None
    except (OSError, EOFError, zlib.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "damaged archive"
        raise UsageError(f"{path} cannot be read: {why}.", remedy="Check the file.") from None
    if not found.strip():
        raise UsageError(f"{path} is empty.", remedy="Take a delivery with records.")
    return found[:_LOOKED_AT], len(found) <= _LOOKED_AT


def unreadable(path: Path, refused: DeliveryRefused) -> UsageError:
    """The error of a file that landing would refuse."""
    return UsageError(
        f"{path} cannot be read: {refused.refusal}.", remedy="docs/formats.md says what can."
    )


def _encoding(sample: bytes) -> str:
    """UTF-8 where the bytes are; else what a byte order mark says, or their statistics."""
    for mark, name in _WIDE_MARKS.items():
        if sample.startswith(mark):
            return name
    try:
        # A character may be cut at the end of what was read.
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes

        best = from_bytes(sample).best()
        return best.encoding.replace("_", "-") if best else "cp1252"
    return "utf-8"


def _csv(path: Path, text: str, encoding: str, notes: tuple[str, ...]) -> Form:
    """The delimiter and quotes under which most columns and fewest unreadable records are found."""
    tried = [_attempt(text, mark, quote) for mark in _DELIMITERS for quote in ('"', None)]
    readable = [one for one in tried if one.lost <= _FEW]
    best = (
        max(readable, key=lambda one: (len(one.names), -one.lost))
        if readable
        else min(tried, key=lambda one: one.lost)
    )
    if best.refusal:
        raise UsageError(
            f"{path} has a header that cannot be trusted: {best.refusal}.",
            remedy="Mend its first line, or write the contract by hand.",
        )
    form = best.declared.model_copy(update={"encoding": encoding})
    if not _is_data(best.names):
        return Form(form, best.names, notes)
    names = tuple(f"column_{place}" for place in range(1, len(best.names) + 1))
    said = "The first line looks like a record, not like names: `header: false` was declared."
    return Form(form.model_copy(update={"header": False}), names, (*notes, said))


@dataclass(frozen=True)
class _Attempt:
    """A way to read the sample: its names, and the share of records that it loses."""

    declared: CsvFormat
    names: tuple[str, ...]
    lost: float
    refusal: str


def _attempt(text: str, delimiter: str, quote: str | None) -> _Attempt:
    form = CsvFormat(type="csv", delimiter=delimiter, quote=quote)
    try:
        reader = open_records(BytesIO(text.encode()), form, ())
        names = reader.layout.fields
        # Without columns of a contract no name can be one of them, and that is no fault here.
        fault = header_problem(names) if names else reader.refusal
        if fault:
            return _Attempt(form, names, 0.0 if len(names) > 1 else 1.0, str(fault))
        columns = [SourceColumn(name) for name in names]
        reader = open_records(BytesIO(text.encode()), form, columns, observe=False)
        lost = sum(len(batch.malformed) for batch in reader)
    except DeliveryRefused as error:
        return _Attempt(form, (), 1.0, str(error.refusal))
    return _Attempt(form, names, lost / max(reader.records_read, 1), "")


def _is_data(names: tuple[str, ...]) -> bool:
    """Whether most of a first line are numbers or dates; a lone year may name a column."""
    values = [name for name in names if kind_of(name.encode()) is not Kind.TEXT]
    years = [name for name in values if len(name) == 4 and name.isdecimal()]
    return 2 * len(values) > len(names) and len(years) < len(values)


def _json(path: Path, text: str, encoding: str, whole: bool) -> JsonFormat:
    """One value a line, or a document; then where in it the records are."""
    first = text.split("\n", 1)[0].strip()
    if _is_json(first) and (text.strip() != first or path.name.split(".")[-1] != "json"):
        return JsonFormat(type="jsonl", encoding=encoding)
    pointer = _longest(json.loads(text), "", 0)[1] if whole and _is_json(text) else ""
    return JsonFormat(type="json", records=pointer, encoding=encoding)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _longest(value: Any, pointer: str, depth: int) -> tuple[int, str]:
    """The longest array of objects near the top, and the RFC 6901 pointer that leads to it."""
    if isinstance(value, list):
        return (len(value) if all(isinstance(one, dict) for one in value) else 0), pointer
    best = (0, "")
    if isinstance(value, dict) and depth < _DEEPEST:
        for name, member in value.items():
            step = name.replace("~", "~0").replace("/", "~1")
            best = max(best, _longest(member, f"{pointer}/{step}", depth + 1), key=lambda it: it[0])
    return best
