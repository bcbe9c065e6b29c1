"""What a dataset's keys must agree on among themselves and with its columns."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from tidegate.contracts import time_formats
from tidegate.contracts.column_checks import (
    check_enum,
    check_mask,
    expression_problem,
    pointer_problem,
)
from tidegate.contracts.detection_checks import check_detection, check_zone
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.keys import (
    CsvFormat,
    DatasetColumnKeys,
    DatasetKeys,
    DeliveryKind,
    ParseOptions,
)
from tidegate.contracts.model import DatasetColumn
from tidegate.contracts.pieces import check_known, column_names, column_places
from tidegate.contracts.types import LogicalType, PgType

_OURS = ("config", "meta", "tidegate")
_MOST_COLUMNS = 1596
"""PostgreSQL's tables have 1,600 columns at most; a staged record has four of its own."""


def check_dataset(
    document: Document, path: KeyPath, keys: DatasetKeys, columns: Sequence[DatasetColumn]
) -> None:
    """Report everything that one dataset contradicts itself in."""
    ours = (*path, *_OURS)
    names = column_names(document, path)
    if len(names) > _MOST_COLUMNS:
        document.report(
            (*path, "columns"),
            f"are {len(names)}, and a table of PostgreSQL has room for {_MOST_COLUMNS} beside "
            "Tidegate's own.",
            "Split the dataset, or keep rare fields in one jsonb column.",
        )
    check_known(document, (*ours, "delivery", "key"), keys.delivery.key, names)
    if keys.delivery.kind is DeliveryKind.UPSERT and not keys.delivery.key:
        document.report(
            (*ours, "delivery", "key"), "is missing.", "An upsert needs the columns of its key."
        )
    for index, glob in enumerate(keys.delivery.match):
        _check_glob(document, (*ours, "delivery", "match", index), glob)
    if keys.retention.generations is not None:
        document.report(
            (*ours, "retention", "generations"), "means nothing for a dataset.", "Remove it."
        )
    check_detection(document, (*ours, "detection"), keys.detection, columns)
    _check_format(document, (*ours, "format"), keys)
    _check_columns(document, path, keys, columns)


def check_column(document: Document, path: KeyPath, keys: DatasetColumnKeys, kind: PgType) -> None:
    """Report everything that one column contradicts itself in."""
    ours = (*path, *_OURS)
    check_enum(document, (*ours, "enum"), keys.enum, kind)
    check_mask(document, (*ours, "mask"), keys.mask, kind)
    if keys.path is not None and (message := pointer_problem(keys.path)):
        document.report((*ours, "path"), message, "Write it as /name/0/name (RFC 6901).")
    _check_parse(document, (*ours, "parse"), keys.parse, kind)


def _check_columns(
    document: Document, path: KeyPath, keys: DatasetKeys, columns: Sequence[DatasetColumn]
) -> None:
    csv = isinstance(keys.format, CsvFormat)
    places = column_places(document, path)
    headers: dict[str, str] = {}
    for column in columns:
        ours = (*places[column.name], *_OURS)
        if csv and column.keys.path is not None:
            document.report((*ours, "path"), "means nothing in CSV.", "Use `header`, or remove it.")
        if not csv and column.keys.header is not None:
            document.report((*ours, "header"), "means nothing in JSON.", "Use `path`.")
        if isinstance(keys.format, CsvFormat) and not keys.format.header and column.keys.header:
            document.report(
                (*ours, "header"), "means nothing in a file without a header.", "Remove it."
            )
        header = column.keys.header or column.name
        if csv and headers.setdefault(header, column.name) != column.name:
            document.report(
                (*ours, "header"),
                f"{header!r} is also the header of {headers[header]!r}.",
                "Give each column its own.",
            )
        if column.name in keys.delivery.key:
            if not column.keys.required:
                document.report(
                    (*ours, "required"),
                    f"{column.name!r} is part of the delivery key.",
                    "Add `required: true`.",
                )
            if column.keys.mask is not None:
                document.report((*ours, "mask"), "hides a key column.", "Remove the mask.")


def _check_glob(document: Document, place: KeyPath, glob: str) -> None:
    parts = glob.split("/")
    if not glob or glob.startswith("/") or "\\" in glob or ".." in parts or "" in parts:
        document.report(
            place,
            f"{glob!r} is not a pattern inside the landed folder.",
            "Write it like `ctgov/*.json`.",
        )
    elif glob.count("[") != glob.count("]"):
        document.report(place, f"{glob!r} has an open bracket.", "Close it, or remove it.")


def _check_format(document: Document, place: KeyPath, keys: DatasetKeys) -> None:
    text = keys.format
    if not _is_encoding(text.encoding):
        document.report(
            (*place, "encoding"), f"{text.encoding!r} is not a text encoding.", "Use `utf-8`."
        )
    if not isinstance(text, CsvFormat):
        if message := pointer_problem(text.records):
            document.report((*place, "records"), message, "Write it as /name (RFC 6901).")
        return
    special = {"delimiter": text.delimiter, "quote": text.quote, "comment": text.comment}
    seen: dict[str, str] = {}
    for key, character in special.items():
        if character is None:
            continue
        if character in "\r\n":
            document.report((*place, key), "is a line break.", "Use another character.")
        other = seen.setdefault(character, key)
        if other != key:
            document.report(
                (*place, key), f"is the same character as `{other}`.", "Use different characters."
            )
    if text.escape is not None and text.escape in (text.delimiter, text.comment, "\r", "\n"):
        document.report(
            (*place, "escape"),
            "is also the delimiter, the comment or a line break.",
            "Use another character.",
        )
    if text.escape is not None and text.quote is None:
        document.report((*place, "escape"), "means nothing without `quote`.", "Remove it.")


def _is_encoding(name: str) -> bool:
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return bool(getattr(found, "_is_text_encoding", True))


def _check_parse(document: Document, place: KeyPath, parse: ParseOptions, kind: PgType) -> None:
    given = parse.model_fields_set
    logical = kind.element.logical
    for key, wanted in _MEANT_FOR.items():
        if key in given and logical not in wanted:
            types = " or ".join(sorted(it.value for it in wanted))
            document.report(
                (*place, key), f"means nothing for {kind.sql}.", f"It is for {types} columns."
            )
    if parse.decimal == parse.thousands:
        document.report(
            (*place, "thousands"),
            "is the same character as `decimal`.",
            "Use different characters.",
        )
    for key in ("decimal", "thousands"):
        if str(getattr(parse, key) or "").isdigit():
            document.report((*place, key), "is a digit.", "Use another character.")
    common = set(parse.true_tokens) & set(parse.false_tokens)
    if common:
        document.report(
            (*place, "false_tokens"), f"{sorted(common)[0]!r} also means true.", "Keep it in one."
        )
    _check_time_format(document, (*place, "date_format"), parse.date_format, time_formats.DAY)
    moment = (*place, "timestamp_format")
    _check_time_format(document, moment, parse.timestamp_format, time_formats.MOMENT)
    if parse.pattern is not None and (message := expression_problem(parse.pattern)):
        document.report((*place, "pattern"), message, "Use what PostgreSQL and Python both know.")
    if parse.timezone is not None:
        check_zone(document, (*place, "timezone"), parse.timezone)


def _check_time_format(
    document: Document, place: KeyPath, declared: str | None, directives: frozenset[str]
) -> None:
    if declared is None:
        return
    try:
        time_formats.time_format(declared, directives)
    except time_formats.FormatProblem as problem:
        document.report(place, problem.what, problem.remedy)


_TIMES = frozenset((LogicalType.TIMESTAMP,))
_NUMBERS = frozenset((LogicalType.NUMBER, LogicalType.INTEGER))
_BOOLEANS = frozenset((LogicalType.BOOLEAN,))
_MEANT_FOR = {
    "pattern": frozenset((LogicalType.STRING,)),
    "date_format": frozenset((LogicalType.DATE,)),
    "timestamp_format": _TIMES,
    "timezone": _TIMES,
    "decimal": _NUMBERS,
    "thousands": _NUMBERS,
    "true_tokens": _BOOLEANS,
    "false_tokens": _BOOLEANS,
    "allow_nan": frozenset((LogicalType.NUMBER,)),
}
