"""A declared CSV dialect, compiled to bytes and expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tidegate.contracts.keys import CsvFormat
from tidegate.deliveries.copytext import NULL, escape
from tidegate.errors import UsageError


@dataclass(frozen=True)
class Dialect:
    """What the declared characters are in the bytes that the reader sees.

    Delimiter, quote, escape and comment are ASCII and different from each other: only so can they
    be found in bytes, and no byte has two meanings.
    """

    delimiter: bytes
    quote: bytes | None
    escape: bytes | None
    comment: bytes | None
    null_tokens: frozenset[bytes]
    trim: bool
    header: bool

    @classmethod
    def of(cls, declared: CsvFormat) -> Dialect:
        """Compile what the contract declares; raise UsageError where it cannot be told apart."""
        given = (declared.delimiter, declared.quote, declared.escape, declared.comment)
        marks = [mark for mark in given if mark is not None]
        if any(not mark.isascii() or mark in "\r\n\0" for mark in marks):
            raise UsageError(
                "Delimiter, quote, escape and comment must be ASCII and no line end.",
                remedy="Declare other characters in the contract's `format`.",
            )
        if len(set(marks)) < len(marks) and declared.escape != declared.quote:
            raise UsageError(
                "Delimiter, quote, escape and comment must be four different characters.",
                remedy="Leave `escape` out where a quote is written twice inside a field.",
            )
        mark = declared.escape if declared.escape != declared.quote else None
        return cls(
            delimiter=declared.delimiter.encode(),
            quote=declared.quote.encode() if declared.quote else None,
            escape=mark.encode() if mark else None,
            comment=declared.comment.encode() if declared.comment else None,
            null_tokens=frozenset(token.encode() for token in declared.null_tokens),
            trim=declared.trim,
            header=declared.header,
        )

    def is_comment(self, line: bytes) -> bool:
        """Whether a physical line is a declared comment."""
        return self.comment is not None and line[:1] == self.comment

    def text(self, token: bytes) -> bytes:
        """One raw field (UTF-8, with its quotes) as a field of COPY text, null included."""
        if self.quote and token[:1] == self.quote:
            return escape(self.unquoted(token))
        if self.trim:
            token = token.strip(b" \t")
        if self.escape and self.escape in token:
            return escape(self._unescaped(token))
        return NULL if token in self.null_tokens else escape(token)

    def unquoted(self, token: bytes) -> bytes:
        """The content of a quoted field."""
        if self.quote is None:
            return token
        inner = token[1:-1]
        if self.escape is None:
            return inner.replace(self.quote * 2, self.quote)
        return self._unescaped(inner)

    def name(self, token: bytes) -> bytes:
        """One raw field of the header as a name; a header knows no null."""
        if self.quote and token[:1] == self.quote:
            token = self.unquoted(token)
        elif self.escape:
            token = self._unescaped(token)
        return token.strip(b" \t") if self.trim else token

    def _unescaped(self, content: bytes) -> bytes:
        mark = re.escape(self.escape or b"")
        return re.sub(mark + b"(.)", rb"\1", content, flags=re.DOTALL)


@dataclass(frozen=True)
class Patterns:
    """Expressions of a dialect: a plain field, and the inside of a quoted one."""

    plain: re.Pattern[bytes]
    quoted: re.Pattern[bytes]
    token: bytes


@lru_cache(maxsize=32)
def patterns(dialect: Dialect) -> Patterns:
    """Compile once per dialect.

    What may repeat never begins with what stands before it, so no expression has two ways to match
    the same text: time is linear whatever the bytes are.
    """
    d = re.escape(dialect.delimiter)
    q = re.escape(dialect.quote or b"")
    e = re.escape(dialect.escape or b"")
    plain = b"[^" + d + q + e + b"]*"
    if e:
        plain += b"(?:" + e + b"." + plain + b")*"
    if not q:
        quoted, token = b"(?!)", plain
    else:
        inside = b"[^" + q + e + b"]*"
        quoted = inside + b"(?:" + (e + b"." if e else q + q) + inside + b")*"
        token = q + quoted + q + b"|" + plain
    return Patterns(re.compile(plain, re.DOTALL), re.compile(quoted, re.DOTALL), token)


@lru_cache(maxsize=32)
def row_pattern(dialect: Dialect, width: int) -> re.Pattern[bytes]:
    """A whole line of `width` fields, a group each."""
    field = b"(" + patterns(dialect).token + b")"
    return re.compile(re.escape(dialect.delimiter).join([field] * width), re.DOTALL)
