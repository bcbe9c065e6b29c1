"""Freshness of datasets: dbt puts its column and its filter into SQL as they stand."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.expressions import ExpressionError, canonical_condition
from tidegate.contracts.identifiers import TECHNICAL, column_problem
from tidegate.contracts.wording import suggestion


def check_freshness(document: Document, path: KeyPath, columns: Sequence[str]) -> None:
    """Report what is wrong with `loaded_at_field` and the filter of a source or dataset."""
    known = {*columns, *TECHNICAL}
    for place in (path, (*path, "config")):
        _check_field(document, (*place, "loaded_at_field"), known)
        _check_filter(document, (*place, "freshness", "filter"), known)


def _check_field(document: Document, place: KeyPath, known: set[str]) -> None:
    name = document.value(place)
    if not isinstance(name, str):
        return
    if name not in known:
        document.report(
            place,
            f"{name!r} is not a column.",
            suggestion(name, known) or "Use `_received_at`, or a column of the contract.",
        )
    elif name not in TECHNICAL and column_problem(name, quoted=False):
        document.report(
            place, f"{name!r} needs quotes, which dbt does not put.", "Use `_received_at`."
        )


def _check_filter(document: Document, place: KeyPath, known: set[str]) -> None:
    text = document.value(place)
    if not isinstance(text, str):
        return
    try:
        canonical_condition(text, known)
    except ExpressionError as error:
        document.report(place, error.message, error.remedy)
