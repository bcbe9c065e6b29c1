"""PostgreSQL's COPY text format: one field in, one field out."""

from __future__ import annotations

from collections.abc import Iterator

NULL = b"\\N"
"""Null; escaped data never equals it, because a backslash of data is doubled."""

_ESCAPED = {ord("t"): 9, ord("n"): 10, ord("r"): 13, 0x5C: 0x5C}


def escape(value: bytes) -> bytes:
    """UTF-8 bytes to one field."""
    if b"\\" in value:
        value = value.replace(b"\\", b"\\\\")
    return value.replace(b"\t", b"\\t").replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def lengths(joined: bytes) -> Iterator[int]:
    """How many characters the text of each field has; a newline stands between fields."""
    if b"\\" in joined:
        # What is escaped is a backslash and one character, for one character.
        joined = joined.replace(b"\\\\", b"x").replace(b"\\", b"")
    return map(len, joined.decode().split("\n"))


def unescape(value: bytes) -> str | None:
    """One field to text; None for null."""
    if value == NULL:
        return None
    if b"\\" not in value:
        return value.decode()
    out = bytearray()
    rest = iter(value)
    for byte in rest:
        out.append(_ESCAPED[next(rest)] if byte == 0x5C else byte)
    return out.decode()
