"""Small sentences that several checks say."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """`Did you mean x?`, or nothing where nothing is near."""
    near = difflib.get_close_matches(wrong, sorted(known), n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else ""
