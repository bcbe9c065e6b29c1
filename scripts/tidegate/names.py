"""The only place where names of schemas, roles and generations are made.

A family name is a lower-case identifier of at most 40 bytes, so that every schema made from it
stays within PostgreSQL's 63 bytes (design §2; longer names are silently cut by the server).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tidegate.errors import UsageError

MAX_IDENTIFIER_BYTES = 63
MAX_FAMILY_BYTES = 40
MAX_RELATION_BYTES = 42
"""Of a dataset or model: dbt's `__dbt_tmp` with a time of day takes 21 of the 63 bytes, and cuts
longer names until two of them meet."""
SAMPLE_CAP = 25
"""One cap for sample keys and row numbers everywhere (design §7)."""

MAX_SHOWN = 100
"""Characters of a partner's name in a message; a header may hold a page of text."""

GOVERNANCE = "governance"
LANDING = "landing"
CURATION = "curation"
PROVENANCE = "provenance"
QUERY = "query"

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*\Z")


def checked_family(family: str) -> str:
    """Return `family` if schemas can be named after it; raise UsageError if not."""
    if not _IDENTIFIER.match(family) or len(family) > MAX_FAMILY_BYTES or "__" in family:
        raise UsageError(
            f"{family!r} is not a family name.",
            remedy="Use lower-case letters, digits and single underscores, "
            f"starting with a letter, at most {MAX_FAMILY_BYTES} characters.",
        )
    return family


def candidate_schema(family: str) -> str:
    """Where dbt builds a family; a fixed name, so that dbt's parse cache stays valid."""
    return f"{checked_family(family)}__candidate"


def serving_schema(family: str) -> str:
    """Where a family's serving parents live; never a dbt target."""
    return f"{checked_family(family)}__serving"


def generation_label(generation: int) -> str:
    """`42` is `g000042`."""
    return f"g{generation:06d}"


def generation_schema(family: str, generation: int) -> str:
    """Where the tables of one generation live."""
    return f"{checked_family(family)}__{generation_label(generation)}"


def parse_generation_label(label: str) -> int:
    """`g000042`, `g42` or `42` is 42; raise UsageError for anything else."""
    match = re.fullmatch(r"g?0*([0-9]{1,9})", label)
    if not match:
        raise UsageError(f"{label!r} is not a generation.", remedy="Give it as g000042, or as 42.")
    return int(match[1])


def catalog_model(family: str) -> str:
    """The model that lists every contracted column of a family."""
    return f"q_catalog__{checked_family(family)}"


def provenance_model(family: str) -> str:
    """The model that holds the receipts of a family's rows."""
    return f"q_provenance__{checked_family(family)}"


def printable(text: str) -> str:
    """Text on one line and without effect on a terminal: controls are escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def listed(found: Sequence[str], mark: str = ", ") -> str:
    """What was found, as far as a message holds it."""
    more = len(found) - SAMPLE_CAP
    return mark.join(found[:SAMPLE_CAP]) + (f" and {more} more" if more > 0 else "")


def shown(name: str) -> str:
    """A name that somebody else chose, as a message can hold it: printable, and cut if long."""
    told = printable(name[:MAX_SHOWN])
    return told if len(name) <= MAX_SHOWN else f"{told}… ({len(name)} characters)"
