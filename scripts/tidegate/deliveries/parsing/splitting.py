"""Lines into the fields of columns, all of them at once."""

from __future__ import annotations

from operator import methodcaller

MASK = b"\x01"
"""Stands for a delimiter inside quotes while lines are split; data that holds it is not masked."""
_HAS_END = methodcaller("__contains__", b"\n")


def columns_of(body: bytes, delimiter: bytes, width: int) -> list[list[bytes]] | None:
    """The fields of lines, column by column; None unless each line has `width` of them."""
    if width == 1:
        lines = body.split(b"\n")
        return None if delimiter in body else [lines]
    # Split at delimiters alone, every (width - 1)th piece is the end of a line and the beginning
    # of the next, and no other piece has a line end.
    pieces, step = body.split(delimiter), width - 1
    count = body.count(b"\n") + 1
    seams = pieces[step:-1:step]
    if len(pieces) != count * step + 1 or not all(map(_HAS_END, seams)):
        return None
    ends = b"\n".join(seams).split(b"\n") if seams else []
    first, last = [pieces[0], *ends[1::2]], [*ends[::2], pieces[-1]]
    return [first, *(pieces[place::step] for place in range(1, step)), last]


def masked(body: bytes, quote: bytes, delimiter: bytes) -> bytes | None:
    """Lines with quoted fields, `MASK` standing for each delimiter inside quotes.

    None unless each quoted field is a whole field of one line and holds no quote.
    """
    pieces = body.split(quote)
    edges = {delimiter, b"\n"}
    between = pieces[2:-1:2]
    regular = (
        len(pieces) % 2 == 1
        and {piece[:1] for piece in between} <= edges
        and {piece[-1:] for piece in between} <= edges
        and {pieces[0][-1:], pieces[-1][:1]} <= edges | {b""}
        and MASK not in body
    )
    if not regular:
        return None
    inside = b"".join(pieces[1::2])
    if b"\n" in inside:
        return None
    if delimiter not in inside:
        return body
    pieces[1::2] = [piece.replace(delimiter, MASK) for piece in pieces[1::2]]
    return quote.join(pieces)
