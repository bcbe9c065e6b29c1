"""Checks that columns of datasets and of models have in common."""

from __future__ import annotations

import re

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.keys import Mask
from tidegate.contracts.types import PgType

_TEXT = ("text", "character varying", "character", "bpchar")
_POINTER = re.compile(r"(/([^~/]|~[01])*)*\Z")


def is_text(kind: PgType) -> bool:
    """Whether values, or the elements of an array, are text."""
    return kind.builtin and kind.name in _TEXT


def expression_problem(text: str) -> str | None:
    """Why a regular expression cannot be used: Python and PostgreSQL have to read it alike."""
    if not text:
        return "is empty."
    try:
        compiled = re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return "is not a regular expression."
    if "(?" in text.replace("(?:", "") or compiled.flags & ~re.UNICODE:
        return "has a group that begins with (?."
    return None


def check_enum(
    document: Document, place: KeyPath, enum: tuple[str, ...] | None, kind: PgType
) -> None:
    """Report a closed set that the column cannot have."""
    if enum is None:
        return
    if not is_text(kind):
        document.report(
            place,
            f"is a closed set of text, but the column is {kind.sql}.",
            "Use text, or remove `enum`.",
        )
        return
    if not enum:
        document.report(place, "is empty.", "Give at least one value, or remove `enum`.")
    length = kind.modifiers[0] if kind.modifiers else None
    for index, value in enumerate(enum):
        if value in enum[:index]:
            document.report((*place, index), f"{value!r} is given twice.", "Remove one of them.")
        elif length is not None and len(value) > length:
            document.report(
                (*place, index),
                f"{value!r} is longer than {kind.sql}.",
                "Shorten it, or widen the column.",
            )


def check_mask(document: Document, place: KeyPath, mask: Mask | None, kind: PgType) -> None:
    """Report a mask that would change the type readers see."""
    if mask in (Mask.HASH, Mask.PARTIAL) and (kind.array or not is_text(kind)):
        document.report(
            place, f"`{mask.value}` makes text, but the column is {kind.sql}.", "Use `redact`."
        )


def pointer_problem(pointer: str) -> str | None:
    """What is wrong with an RFC 6901 pointer; None if nothing."""
    return None if _POINTER.match(pointer) else f"{pointer!r} is not a JSON pointer."
