"""Small sentences that several checks say."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known word that `wrong` was probably meant to be."""
    near = difflib.get_close_matches(wrong, sorted(known), n=1, cutoff=0.6)
    return near[0] if near else None


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """`Did you mean x?`, or nothing where nothing is near."""
    near = nearest(wrong, known)
    return f"Did you mean `{near}`?" if near else ""
