"""What datasets and models are read with alike: lists of named things, names, types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.hashing import HashError
from tidegate.contracts.identifiers import column_problem, folded, relation_problem
from tidegate.contracts.model import DatasetContract, ModelContract
from tidegate.contracts.wording import suggestion

Column = TypeVar("Column")
Contract = TypeVar("Contract", DatasetContract, ModelContract)


def items(document: Document, path: KeyPath, key: str, needed: bool = False) -> list[KeyPath]:
    """Places of the list items under `key`; a missing or wrong list is reported."""
    parent = document.value(path)
    if not isinstance(parent, dict):
        return []
    if key not in parent:
        if needed:
            document.report((*path, key), "is missing.", f"Add `{key}`.")
        return []
    found = parent[key]
    if not isinstance(found, list) or not found:
        document.report((*path, key), "is not a list of at least one.", "Write a list.")
        return []
    return [(*path, key, index) for index in range(len(found))]


def declared(document: Document) -> Iterator[tuple[str, str, KeyPath]]:
    """Kind, name and place of everything the file declares, faultless or not."""
    for path in _named(document, (), "models"):
        yield "model", document.value((*path, "name")), path
    for source in _named(document, (), "sources"):
        for path in _named(document, source, "tables"):
            yield "dataset", document.value((*path, "name")), path


def check_relation_name(document: Document, path: KeyPath, prefix: str = "") -> None:
    """Report a name that no relation could have."""
    name = document.value((*path, "name"))
    found = relation_problem(name, prefix) if isinstance(name, str) and name else None
    if found:
        document.report((*path, "name"), *found)


def columns(
    document: Document, path: KeyPath, read: Callable[[Document, KeyPath], Column | None]
) -> list[Column]:
    """All faultless columns of a relation; names are checked here, the rest by `read`."""
    places = items(document, path, "columns", needed=True)
    seen: dict[str, str] = {}
    for place in places:
        name = document.value((*place, "name"))
        if not isinstance(name, str) or not name:
            continue
        _check_column_name(document, place, name)
        twin = seen.setdefault(folded(name), name)
        if twin is not name:
            same = (
                "is the name of another column."
                if twin == name
                else (f"differs from {twin!r} only in case or Unicode form.")
            )
            document.report((*place, "name"), f"{name!r} {same}", "Rename one of them.")
    return [column for place in places if (column := read(document, place)) is not None]


def column_places(document: Document, path: KeyPath) -> dict[str, KeyPath]:
    """Where each column stands, by name as written, whether or not it is faultless."""
    return {document.value((*place, "name")): place for place in _named(document, path, "columns")}


def column_names(document: Document, path: KeyPath) -> list[str]:
    """The names of all columns as written, whether or not the columns are faultless."""
    return list(column_places(document, path))


def check_known(
    document: Document, path: KeyPath, names: tuple[str, ...], known: list[str]
) -> None:
    """Report each of `names` that is no column or is given twice; `path` is their list."""
    for index, name in enumerate(names):
        if name not in known:
            document.report(
                (*path, index),
                f"{name!r} is not a column of this contract.",
                suggestion(name, known) or "Name a column that stands under `columns`.",
            )
        elif name in names[:index]:
            document.report((*path, index), f"{name!r} is given twice.", "Remove one of them.")


def tests(document: Document, path: KeyPath) -> tuple[Any, ...]:
    """The `data_tests` of a relation, as written."""
    return tuple(document.value((*path, "data_tests")) or ())


def column_tests(document: Document, path: KeyPath) -> Mapping[str, tuple[Any, ...]]:
    """The `data_tests` of each column that has any, as written."""
    found = {
        document.value((*place, "name")): tests(document, place)
        for place in _named(document, path, "columns")
    }
    return MappingProxyType({name: entries for name, entries in found.items() if entries})


def with_hash(
    document: Document, path: KeyPath, contract: Contract, sha256: Callable[[Contract], str]
) -> Contract:
    """`contract` with its hash; a number that has no canonical JSON is reported."""
    try:
        return replace(contract, sha256=sha256(contract))
    except HashError as error:
        document.report(path, str(error), "Write it as text, or use a smaller number.")
        return contract


def _check_column_name(document: Document, place: KeyPath, name: str) -> None:
    found = column_problem(name, document.value((*place, "quote")) is True)
    if found:
        document.report((*place, "name"), *found)


def _named(document: Document, path: KeyPath, key: str) -> Iterator[KeyPath]:
    listed = document.value((*path, key))
    for index, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, dict) and isinstance(item.get("name"), str) and item["name"]:
            yield (*path, key, index)
