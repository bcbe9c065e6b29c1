"""Names of columns for what partners call their fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from tidegate.contracts.identifiers import column_problem

_STEM = 50
"""Characters of a name that is made, so that a number still fits behind it."""


def plain(name: str) -> str:
    """Lower-case ASCII letters, digits and underscores, as far as the name has any."""
    split = re.sub("(?<=[a-z])(?=[A-Z])", "_", name)
    letters = unicodedata.normalize("NFKD", split.casefold()).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "_", letters).strip("_")


def column_name(field: str, taken: Collection[str]) -> str:
    """The field's own name if a column can have it, else one made of its letters and digits."""
    if column_problem(field, quoted=False) is None and field not in taken:
        return field
    stem = plain(field)[:_STEM].strip("_") or "field"
    if stem[0].isdigit() or column_problem(stem, quoted=False):
        stem = f"c_{stem}"
    names = (stem, *(f"{stem}_{number}" for number in range(2, len(taken) + 3)))
    return next(
        name for name in names if name not in taken and column_problem(name, quoted=False) is None
    )
