"""How the header of a CSV file meets the contract's columns: by name, never by guess."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from tidegate.deliveries.parsing.records import Layout, Refusal, SourceColumn
from tidegate.deliveries.reasons import Reason

_SEPARATORS = re.compile(r"[\s_\-.\u200b\u200c\u200d\u2060\ufeff]+")


def normalised(name: str) -> str:
    """The form in which two names of one header may not meet: case, spaces, Unicode form."""
    return _SEPARATORS.sub("_", unicodedata.normalize("NFKC", name).casefold()).strip("_")


def header_problem(fields: Sequence[str]) -> Refusal | None:
    """Why a header is ambiguous, or None. Names of columns are no values and may be shown."""
    blank = [str(place) for place, name in enumerate(fields, 1) if not name.strip()]
    if blank:
        return Refusal(Reason.BLANK_HEADER, f"no name at position {', '.join(blank)}")
    twice = [name for name, count in Counter(fields).items() if count > 1]
    if twice:
        places = "; ".join(f"{name!r} at {_places(fields, name)}" for name in twice)
        return Refusal(Reason.DUPLICATE_HEADER, places)
    alike: dict[str, list[str]] = defaultdict(list)
    for name in fields:
        alike[normalised(name)].append(name)
    colliding = [
        f"{' and '.join(map(repr, names))} are both {form!r}"
        for form, names in alike.items()
        if len(names) > 1
    ]
    return Refusal(Reason.HEADER_COLLISION, "; ".join(colliding)) if colliding else None


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
    return ", ".join(str(place) for place, other in enumerate(fields, 1) if other == name)
