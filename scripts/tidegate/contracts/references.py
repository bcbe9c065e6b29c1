"""References from model to model: the owner exists, in number and type of columns they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tidegate.contracts.column_checks import is_text
from tidegate.contracts.keys import Reference
from tidegate.contracts.model import ModelContract
from tidegate.contracts.pieces import declared
from tidegate.contracts.types import LogicalType, PgType
from tidegate.contracts.wording import suggestion
from tidegate.contracts.yamlfile import Document, KeyPath


def check_references(documents: Sequence[Document], models: Iterable[ModelContract]) -> None:
    """Report every reference that no gate could follow.

    A model with problems of its own still counts as existing: its own problems are enough.
    """
    faultless = {model.name: model for model in models}
    names = {
        name for document in documents for kind, name, _ in declared(document) if kind == "model"
    }
    for document in documents:
        for kind, name, path in declared(document):
            model = faultless.get(name)
            if kind == "model" and model and model.path == document.file:
                for index, reference in enumerate(model.keys.references):
                    place = (*path, "config", "meta", "tidegate", "references", index)
                    _check(document, place, model, reference, faultless, names)


def _check(
    document: Document,
    place: KeyPath,
    model: ModelContract,
    reference: Reference,
    faultless: Mapping[str, ModelContract],
    names: set[str],
) -> None:
    if reference.to not in names:
        if not reference.deferred:
            document.report(
                (*place, "to"),
                f"{reference.to!r} is not a model.",
                suggestion(reference.to, names)
                or "Write its contract, or add `deferred: true` until its family exists.",
            )
        return
    if reference.deferred:
        document.report(
            (*place, "deferred"),
            f"{reference.to!r} exists: a deferred gate would only warn.",
            "Remove `deferred`.",
        )
    owner = faultless.get(reference.to)
    if owner is None:
        return
    targets = reference.to_columns or owner.keys.row_key
    known = {column.name: column for column in owner.columns}
    unknown = [name for name in targets if name not in known]
    for name in unknown:
        document.report(
            (*place, "to_columns"),
            f"{name!r} is not a column of {owner.name}.",
            suggestion(name, known) or "Name a column of its contract.",
        )
    if len(targets) != len(reference.columns):
        document.report(
            (*place, "columns"),
            f"are {len(reference.columns)} for the {len(targets)} key columns of {owner.name}.",
            "Give as many, or name them in `to_columns`.",
        )
        return
    if unknown:
        return
    for index, (name, target) in enumerate(zip(reference.columns, targets, strict=True)):
        _check_types(
            document,
            (*place, "columns", index),
            model.column(name).type,
            known[target].type,
            f"{owner.name}.{target}",
            reference.array,
        )


def _check_types(
    document: Document, place: KeyPath, mine: PgType, theirs: PgType, owner: str, array: bool
) -> None:
    if mine.array and not array:
        document.report(place, f"is {mine.sql}.", "Add `array: true`.")
        return
    if array and not mine.array:
        document.report(place, f"is {mine.sql}, not an array.", "Remove `array: true`.")
        return
    if not _comparable(mine.element, theirs):
        document.report(
            place, f"is {mine.element.sql}, but {owner} is {theirs.sql}.", "Use the same type."
        )


def _comparable(mine: PgType, theirs: PgType) -> bool:
    """Whether `=` compares the two without a cast that PostgreSQL would refuse or guess."""
    if mine.name == theirs.name and mine.schema == theirs.schema:
        return mine.array == theirs.array
    if mine.array or theirs.array:
        return False
    if is_text(mine) or is_text(theirs):
        return is_text(mine) and is_text(theirs)
    numbers = (LogicalType.INTEGER, LogicalType.NUMBER)
    return mine.logical in numbers and theirs.logical in numbers
