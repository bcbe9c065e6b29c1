"""What models must agree on: references to each other, and what a family has in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tidegate.contracts.column_checks import is_text
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.keys import Reference
from tidegate.contracts.models import ModelDraft
from tidegate.contracts.pieces import declared
from tidegate.contracts.types import LogicalType, PgType
from tidegate.contracts.wording import suggestion


def check_references(documents: Iterable[Document], drafts: Sequence[ModelDraft]) -> None:
    """Report every reference that no gate could follow.

    A model that cannot be read still counts as existing: its own problems are enough.
    """
    owners = {draft.contract.name: draft for draft in drafts}
    names = {
        name for document in documents for kind, name, _ in declared(document) if kind == "model"
    }
    for draft in drafts:
        for index, reference in enumerate(draft.contract.keys.references):
            place = (*draft.place, "config", "meta", "tidegate", "references", index)
            if _owner_exists(draft.document, place, reference, names):
                _check_columns(draft, place, reference, owners.get(reference.to))


def check_generations(drafts: Iterable[ModelDraft]) -> None:
    """Report models of one family that would keep different numbers of generations."""
    first: dict[str, ModelDraft] = {}
    for draft in drafts:
        keys = draft.contract.keys
        if keys.retention.generations is None:
            continue
        other = first.setdefault(keys.family, draft).contract
        if other.keys.retention.generations != keys.retention.generations:
            draft.document.report(
                (*draft.place, "config", "meta", "tidegate", "retention", "generations"),
                f"is {keys.retention.generations}, but {other.name} keeps "
                f"{other.keys.retention.generations}.",
                "A family has one number: write it in one model, or the same in all.",
            )


def _owner_exists(
    document: Document, place: KeyPath, reference: Reference, names: set[str]
) -> bool:
    if reference.to in names:
        if reference.deferred:
            document.report(
                (*place, "deferred"),
                f"{reference.to!r} exists: a deferred gate would only warn.",
                "Remove `deferred`.",
            )
        return True
    if not reference.deferred:
        document.report(
            (*place, "to"),
            f"{reference.to!r} is not a model.",
            suggestion(reference.to, names)
            or "Write its contract, or add `deferred: true` until its family exists.",
        )
    return False


def _check_columns(
    draft: ModelDraft, place: KeyPath, reference: Reference, owner: ModelDraft | None
) -> None:
    if owner is None:
        return
    document = draft.document
    targets = reference.to_columns or owner.contract.keys.row_key
    for index, name in enumerate(reference.to_columns):
        if name not in owner.column_names:
            document.report(
                (*place, "to_columns", index),
                f"{name!r} is not a column of {owner.contract.name}.",
                suggestion(name, owner.column_names) or "Name a column of its contract.",
            )
    if len(targets) != len(reference.columns):
        if not reference.to_columns:
            document.report(
                (*place, "columns"),
                f"are {len(reference.columns)}, but the row key of {owner.contract.name} has "
                f"{len(targets)} columns.",
                "Give as many, or name the columns there in `to_columns`.",
            )
        return
    mine, theirs = _types(draft), _types(owner)
    for index, (name, target) in enumerate(zip(reference.columns, targets, strict=True)):
        if name in mine and target in theirs:
            here, there = (*place, "columns", index), f"{owner.contract.name}.{target}"
            _check_types(document, here, mine[name], theirs[target], there, reference.array)


def _types(draft: ModelDraft) -> Mapping[str, PgType]:
    return {column.name: column.type for column in draft.contract.columns}


def _check_types(
    document: Document, place: KeyPath, mine: PgType, theirs: PgType, owner: str, array: bool
) -> None:
    if mine.array and not array:
        document.report(place, f"is {mine.sql}.", "Add `array: true`.")
    elif array and not mine.array:
        document.report(place, f"is {mine.sql}, not an array.", "Remove `array: true`.")
    elif not _comparable(mine.element, theirs):
        document.report(
            place, f"is {mine.element.sql}, but {owner} is {theirs.sql}.", "Use the same type."
        )


def _comparable(mine: PgType, theirs: PgType) -> bool:
    """Whether `=` compares the two without a cast that PostgreSQL would refuse or guess."""
    if theirs.array:
        return False
    if mine.name == theirs.name and mine.schema == theirs.schema:
        return True
    if is_text(mine) or is_text(theirs):
        return is_text(mine) and is_text(theirs)
    numbers = (LogicalType.INTEGER, LogicalType.NUMBER)
    return mine.logical in numbers and theirs.logical in numbers
