"""CSV in bounded memory: batches of COPY text, malformed records beside them.

Fast where the file is plain and exact where it is not. Many regular lines are looked at where they
stand (`grid`) and copied as they are; a few are split as a whole; a line with other quotes is
matched by one expression; only what fails there is read byte by byte (`exact`). All give the same
result, which the property tests hold them to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tidegate.contracts.keys import CsvFormat
from tidegate.deliveries.parsing.columns import ColumnWriter
from tidegate.deliveries.parsing.dialect import Dialect, row_pattern
from tidegate.deliveries.parsing.doubled import DoubledMembers
from tidegate.deliveries.parsing.exact import ExactParser, NeedMoreLines
from tidegate.deliveries.parsing.header import lay_out, read_header
from tidegate.deliveries.parsing.lines import LineReader, Window
from tidegate.deliveries.parsing.records import (
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
from tidegate.deliveries.parsing.splitting import columns_of, masked
from tidegate.deliveries.reasons import Reason

_GROUPED_WIDTH = 300
"""Wider records are read by `exact`: an expression with that many groups costs more."""


class CsvReader:
    """Iterate over it once for batches; afterwards counts and tallies are complete.

    `refusal` is set where the header cannot be trusted: then every record comes as malformed under
    that reason. Raises DeliveryRefused where the file as a whole cannot be read.
    """

    def __init__(
        self,
        source: Source,
        declared: CsvFormat,
        columns: Sequence[SourceColumn],
        *,
        header: Sequence[str] | None = None,
        limits: Limits | None = None,
        observe: bool = True,
    ) -> None:
        self.limits = limits or Limits()
        self.encoding = source.codec
        self.bom = source.bom
        self.blank_lines = 0
        self.comment_lines = 0
        self.records_read = 0
        self._dialect = Dialect.of(declared)
        self._columns = columns
        self._reader = LineReader(iter(source), self.limits.record_bytes)
        self._line = 1
        self._windows = self._filled_windows()
        self._first: Window | None = None
        self.refusal: Refusal | None = None
        names = tuple(header) if header is not None else None
        if names is None and not self._dialect.header:
            names = tuple(column.header or column.name for column in columns)
        self.layout = self._opened(names)
        self._exact = ExactParser(self._dialect, len(self.layout.fields), self.limits)
        self._doubled = DoubledMembers(self._dialect, self.limits, self.layout, columns)
        closed = [column.closed for column in columns]
        self._writer = ColumnWriter(self._dialect, self.layout, closed, observe=observe)
        self.tallies = self._writer.tallies

    def __iter__(self) -> Iterator[Batch]:
        windows = chain(
            [self._first] if self._first and not self._first.empty else [], self._windows
        )
        for window in windows:
            batch = self._batch(window)
            if batch.read:
                self.records_read += batch.read
                yield batch

    def _opened(self, names: tuple[str, ...] | None) -> Layout:
        """Place the contract's columns under the names given, or under the file's own."""
        if names is not None:
            layout, self.refusal = lay_out(names, self._columns)
            return layout
        found = read_header(self._windows, self._reader, self._dialect, self.limits, self.encoding)
        self._line, self.comment_lines, self._first = found.line, found.comments, found.rest
        self.refusal = found.refusal
        if found.names is None:
            return Layout((), (None,) * len(self._columns))
        layout, mismatch = lay_out(found.names, self._columns)
        self.refusal = mismatch or found.refusal
        return layout

    # -- the records -------------------------------------------------------------------------

    def _filled_windows(self) -> Iterator[Window]:
        return (window for window in self._reader if not window.empty)

    def _batch(self, window: Window) -> Batch:
        if self.refusal:
            return self._held(window, self.refusal.reason)
        if window.oversized:
            return self._held(window, Reason.FIELD_TOO_LARGE)
        return self._plain(window) or self._mixed(window)

    def _plain(self, window: Window) -> Batch | None:
        """The window as a whole, if every line is one record of regular fields; else None."""
        dialect = self._dialect
        judged = dialect.escape or dialect.comment or len(self._columns) > WIDE
        body = None if judged else window.plain_body()
        body = body and self._utf8(body)
        if not body or len(body) > self.limits.field_bytes:
            return None
        number, first = self.records_read + 1, self._line
        batch = None if self._doubled.looks else self._writer.lines(body, number, first)
        batch = batch or self._split(body, number, first)
        self._line += batch.rows if batch else 0
        return batch

    def _split(self, body: bytes, number: int, first: int) -> Batch | None:
        """Lines as columns of values, if every one is one record of regular fields; else None."""
        dialect, width = self._dialect, len(self.layout.fields)
        hidden = bool(dialect.quote and dialect.quote in body)
        marked = (
            masked(body, dialect.quote, dialect.delimiter) if hidden and dialect.quote else body
        )
        columns = columns_of(marked, dialect.delimiter, width) if marked else None
        if columns is None or self._doubled.anywhere(columns, hidden=hidden):
            return None
        count = len(columns[0])
        numbers, places = range(number, number + count), range(first, first + count)
        return self._writer.batch((numbers, places, places), columns, regular=True, hidden=hidden)

    def _utf8(self, body: bytes) -> bytes | None:
        """The text in UTF-8; None where some of it is not in the declared encoding."""
        if body.isascii():
            return body
        try:
            text = body.decode(self.encoding)
        except UnicodeDecodeError:
            return None
        return body if self.encoding == "utf-8" else text.encode()

    def _mixed(self, window: Window) -> Batch:
        """Record by record; what the window leaves unfinished comes again in the next one."""
        lines, width = window.lines, len(self.layout.fields)
        line_pattern = row_pattern(self._dialect, width) if width <= _GROUPED_WIDTH else None
        limit, delimiter, quote = (
            self.limits.field_bytes,
            self._dialect.delimiter,
            self._dialect.quote,
        )
        simple = self._dialect.escape is None
        places: tuple[list[int], list[int], list[int]] = ([], [], [])
        flat: list[bytes] = []
        malformed: list[Malformed] = []
        number, at = self.records_read, 0
        while at < len(lines):
            line = lines[at]
            if self._skipped(line, width):
                at += 1
                continue
            tokens: Sequence[bytes] | None = None
            stop, reason = at + 1, None
            if len(line) <= limit:
                if simple and (quote is None or quote not in line):
                    split = line.split(delimiter)
                    tokens = split if len(split) == width else None
                elif line_pattern and (match := line_pattern.fullmatch(line)):
                    tokens = match.groups()
            if tokens is None:
                try:
                    found = self._exact.record(window, at)
                except NeedMoreLines:
                    self._reader.keep(window, at)
                    break
                tokens, stop, reason = found.tokens, found.stop, found.reason
            raw = line if stop == at + 1 else window.joined(at, stop)
            number += 1
            if tokens is not None:
                tokens, reason = self._as_text(tokens, raw)
            start, end = self._line + at, self._line + stop - 1
            if tokens is None:
                malformed.append(self._malformed(number, start, end, reason, raw))
            else:
                for place, value in zip(places, (number, start, end), strict=True):
                    place.append(value)
                flat.extend(tokens)
            at = stop
        self._line += at
        if not flat:
            return Batch(b"", 0, tuple(malformed))
        columns = [flat[place::width] for place in range(width)]
        return self._writer.batch(places, columns, tuple(malformed))

    def _held(self, window: Window, reason: Reason) -> Batch:
        """Every record of a refused delivery, held under its one reason."""
        malformed: list[Malformed] = []
        parser = ExactParser(self._dialect, None, self.limits)
        number, at = self.records_read, 0
        while at < len(window.lines):
            if self._skipped(window.lines[at], 2):
                at += 1
                continue
            try:
                stop = at + 1 if window.oversized else parser.record(window, at).stop
            except NeedMoreLines:
                self._reader.keep(window, at)
                break
            number += 1
            raw = window.joined(at, stop)
            place = self._line + at, self._line + stop - 1
            malformed.append(self._malformed(number, *place, reason, raw))
            at = stop
        self._line += at
        return Batch(b"", 0, tuple(malformed))

    def _as_text(
        self, tokens: Sequence[bytes], raw: bytes
    ) -> tuple[Sequence[bytes] | None, Reason | None]:
        """The fields in UTF-8, or why the record cannot be taken."""
        if b"\0" in raw:
            return None, Reason.NUL_BYTE
        if not raw.isascii():
            try:
                tokens = [token.decode(self.encoding).encode() for token in tokens]
            except UnicodeDecodeError:
                return None, Reason.INVALID_ENCODING
        if self._doubled.within(self._doubled.fields(tokens)):
            return None, Reason.DUPLICATE_KEY
        if too_wide([tokens[place] for place in self.layout.positions if place is not None]):
            return None, Reason.FIELD_TOO_LARGE
        return tokens, None

    def _skipped(self, line: bytes, width: int) -> bool:
        """Blank lines of a table with several columns and declared comments carry no record."""
        if not line and width != 1:
            self.blank_lines += 1
            return True
        if self._dialect.is_comment(line):
            self.comment_lines += 1
            return True
        return False

    def _malformed(
        self, number: int, start: int, end: int, reason: Reason | None, raw: bytes
    ) -> Malformed:
        kept = raw[: self.limits.raw_bytes]
        return Malformed(
            number, start, end, reason or Reason.TOO_FEW_FIELDS, kept, len(kept) < len(raw)
        )
