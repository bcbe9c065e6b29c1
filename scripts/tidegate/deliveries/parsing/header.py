"""How the header of a CSV file meets the contract's columns: by name, never by guess."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tidegate.deliveries.parsing.dialect import Dialect
from tidegate.deliveries.parsing.exact import ExactParser, NeedMoreLines
from tidegate.deliveries.parsing.lines import LineReader, Window
from tidegate.deliveries.parsing.records import (
    MAX_NAME,
    Layout,
    Limits,
    Refusal,
    SourceColumn,
)
from tidegate.deliveries.reasons import Reason
from tidegate.names import listed, shown

_SEPARATORS = re.compile(r"[\s_\-.\u200b\u200c\u200d\u2060\ufeff]+")


def normalised(name: str) -> str:
    """The form in which two names of one header may not meet: case, spaces, Unicode form."""
    return _SEPARATORS.sub("_", unicodedata.normalize("NFKC", name).casefold()).strip("_")


def header_problem(fields: Sequence[str]) -> Refusal | None:
    """Why a header is ambiguous, or None. Names of columns are no values and may be shown."""
    blank = [str(place) for place, name in enumerate(fields, 1) if not name.strip()]
    if blank:
        return Refusal(Reason.BLANK_HEADER, f"no name at position {listed(blank)}")
    long = [str(place) for place, name in enumerate(fields, 1) if len(name) > MAX_NAME]
    if long:
        told = f"more than {MAX_NAME} characters at position {listed(long)}"
        return Refusal(Reason.MALFORMED_HEADER, told)
    twice = [name for name, count in Counter(fields).items() if count > 1]
    if twice:
        places = [f"{_quoted(name)} at {_places(fields, name)}" for name in twice]
        return Refusal(Reason.DUPLICATE_HEADER, listed(places, "; "))
    alike: dict[str, list[str]] = defaultdict(list)
    for name in fields:
        alike[normalised(name)].append(name)
    colliding = [
        f"{' and '.join(map(_quoted, names))} are both {_quoted(form)}"
        for form, names in alike.items()
        if len(names) > 1
    ]
    return Refusal(Reason.HEADER_COLLISION, listed(colliding, "; ")) if colliding else None


def _quoted(name: str) -> str:
    return f"'{shown(name)}'"


def lay_out(
    fields: Sequence[str], columns: Sequence[SourceColumn]
) -> tuple[Layout, Refusal | None]:
    """Place the contract's columns in the file; refuse where not a single name meets."""
    wanted = [column.header or column.name for column in columns]
    at = {name: place for place, name in enumerate(fields)}
    positions = tuple(at.get(name) for name in wanted)
    present = [place for place in positions if place is not None]
    layout = Layout(
        fields=tuple(fields),
        positions=positions,
        missing=tuple(
            column.name for column, place in zip(columns, positions, strict=True) if place is None
        ),
        unknown=tuple(name for name in fields if name not in set(wanted)),
        reordered=present != sorted(present),
    )
    if fields and not present:
        return layout, Refusal(
            Reason.HEADER_MISMATCH,
            f"none of the {len(fields)} names of the first line is a column of the contract, "
            f"which has {', '.join(wanted[:25])}",
        )
    return layout, None


def _places(fields: Sequence[str], name: str) -> str:
    return listed([str(place) for place, other in enumerate(fields, 1) if other == name])


@dataclass(frozen=True)
class Header:
    """What stands before the records: the names, or why there are none to trust.

    `line` is the first physical line behind it, `rest` what is left of its window.
    """

    names: tuple[str, ...] | None
    refusal: Refusal | None
    line: int
    comments: int
    rest: Window | None = None


def read_header(
    windows: Iterator[Window], reader: LineReader, dialect: Dialect, limits: Limits, encoding: str
) -> Header:
    """Read comments and the header record; `reader` is what `windows` come from."""
    parser = ExactParser(dialect, None, limits)
    comments = 0
    for window in windows:
        start = 0
        while start < len(window.lines) and dialect.is_comment(window.lines[start]):
            start += 1
        if start == len(window.lines):
            comments += start
            continue
        try:
            found = parser.record(window, start)
        except NeedMoreLines:
            reader.keep(window, 0)
            continue
        comments += start
        reason = Reason.FIELD_TOO_LARGE if window.oversized else found.reason
        stop = start + 1 if window.oversized else found.stop
        line = 1 + comments + stop - start
        tokens = None if window.oversized else found.tokens
        names: tuple[str, ...] | None = None
        if tokens is None:
            code = reason.value if reason else ""
            refusal: Refusal | None = Refusal(Reason.MALFORMED_HEADER, f"line {line - 1}: {code}")
        else:
            names, refusal = _names(tokens, window.joined(start, stop), dialect, encoding)
        return Header(names, refusal, line, comments, window.after(stop))
    missing = Refusal(Reason.MALFORMED_HEADER, "the file has no header line")
    return Header(None, missing, 1 + comments, comments)


def _names(
    tokens: Sequence[bytes], raw: bytes, dialect: Dialect, encoding: str
) -> tuple[tuple[str, ...] | None, Refusal | None]:
    if b"\0" in raw:
        return None, Refusal(Reason.MALFORMED_HEADER, "it holds U+0000")
    try:
        names = tuple(dialect.name(token).decode(encoding) for token in tokens)
    except UnicodeDecodeError:
        return None, Refusal(Reason.MALFORMED_HEADER, f"it is not {encoding}")
    return names, header_problem(names)
