"""What a dataset's `detection` must agree on with its columns."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tidegate.contracts.detection_keys import Detection
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.model import DatasetColumn


def check_detection(
    document: Document, place: KeyPath, keys: Detection, columns: Sequence[DatasetColumn]
) -> None:
    """Report everything that `detection` contradicts itself or the columns in."""
    check_zone(document, (*place, "timezone"), keys.timezone)
    if keys.dimension is None:
        return
    enums = {column.name: column.keys.enum for column in columns}
    if keys.dimension not in enums:
        document.report(
            (*place, "dimension"), f"{keys.dimension!r} is not a column.", "Name one of `columns`."
        )
    elif not enums[keys.dimension]:
        document.report(
            (*place, "dimension"),
            f"{keys.dimension!r} has no closed `enum`: its values would stand in the ledger.",
            "Declare the enum, or choose another column.",
        )


def check_zone(document: Document, place: KeyPath, name: str) -> None:
    """Report a name that is no time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        document.report(
            place,
            f"{name!r} is not an IANA time zone.",
            "Use a name such as `Europe/Berlin` or `UTC`.",
        )
