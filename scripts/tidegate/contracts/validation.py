"""Typed reading of one piece of a file: pydantic's errors become problems with line, key, remedy.

Each piece (a source, a dataset, a model, a column) is read on its own, so that one mistake never
hides the others.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.keys import DatasetColumnKeys, DatasetKeys, ModelColumnKeys, ModelKeys
from tidegate.contracts.wording import suggestion

Piece = TypeVar("Piece", bound=BaseModel)

_OURS = {
    "dataset": frozenset(DatasetKeys.model_fields),
    "model": frozenset(ModelKeys.model_fields),
    "column": frozenset(DatasetColumnKeys.model_fields) | frozenset(ModelColumnKeys.model_fields),
}
_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "union_tag_not_found": "a mapping with `type`",
}


def read_piece(
    document: Document,
    path: KeyPath,
    kind: type[Piece],
    level: str,
    leave_out: tuple[str, ...] = (),
) -> Piece | None:
    """The piece at `path` as `kind`, or None after its problems were reported.

    `level` is file, source, dataset, model or column; keys in `leave_out` are read separately.
    """
    value = document.value(path)
    if not isinstance(value, dict):
        document.report(path, f"expected a mapping, found {_found(value)}.")
        return None
    given = {key: item for key, item in value.items() if key not in leave_out}
    try:
        return kind.model_validate_json(json.dumps(given), strict=True)
    except ValidationError as error:
        _report(document, path, error, _Where(kind, level, len(path), leave_out))
        return None


@dataclass(frozen=True)
class _Where:
    """Which piece of the file an error is about."""

    kind: type[BaseModel]
    level: str
    depth: int
    separate: tuple[str, ...]


def _report(document: Document, base: KeyPath, error: ValidationError, where: _Where) -> None:
    seen = {path for path, *_ in document.findings}
    for detail in error.errors(include_url=False, include_context=True, include_input=True):
        path = _resolve(document, base, detail)
        if path in seen:
            continue  # YAML or another member of a union has complained about this value
        seen.add(path)
        message, remedy = _say(detail, path, where)
        document.report(path, message, remedy)


def _resolve(document: Document, base: KeyPath, detail: ErrorDetails) -> KeyPath:
    """pydantic's place of an error without the names of union members it puts in between."""
    path = base
    value = document.value(base)
    last = len(detail["loc"]) - 1
    for index, step in enumerate(detail["loc"]):
        if isinstance(value, dict) and isinstance(step, str):
            if step not in value and not (index == last and detail["type"] == "missing"):
                continue
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        else:
            continue
        path = (*path, step)
    return path


def _say(detail: ErrorDetails, path: KeyPath, where: _Where) -> tuple[str, str]:
    error, context = detail["type"], detail.get("ctx", {})
    name = str(path[-1]) if path else ""
    if error == "missing":
        return "is missing.", _ADD.get(name, f"Add `{name}`.")
    if error == "extra_forbidden":
        return _unknown(detail, path, where)
    if error in _KINDS:
        return _wrong_kind(detail, path)
    if error in ("enum", "literal_error"):
        return _not_among(detail["input"], str(context["expected"]))
    if error == "union_tag_invalid":
        return _not_among(str(context["tag"]), str(context["expected_tags"]), "type ")
    if error == "too_short":
        return "is empty.", "Give at least one."
    if error == "string_too_short":
        return "is empty text.", "Write something."
    if error == "string_too_long":
        return "is more than one character.", "Give exactly one."
    if error == "greater_than":
        return f"must be greater than {context['gt']}.", ""
    return f"{detail['msg']}.", ""


def _not_among(value: Any, expected: str, what: str = "") -> tuple[str, str]:
    known = re.findall(r"'([^']*)'", expected)
    if len(known) < 2:
        only = expected.lower() if expected in ("True", "False") else expected
        return f"is {_shown(value)}.", f"It must be {only}."
    remedy = suggestion(value, known) if isinstance(value, str) else ""
    return f"{what}{_shown(value)} is not one of {', '.join(known)}.", remedy


def _wrong_kind(detail: ErrorDetails, path: KeyPath) -> tuple[str, str]:
    expected, value = _KINDS[detail["type"]], detail["input"]
    if "quality_policy" in path[-1:]:
        expected = "a mapping, or the path of a JSON file"
    remedy = ""
    if detail["type"] == "string_type" and value is None and "enum" in path:
        remedy = "A closed enum lists values; a column without a `not_null` constraint may be null."
    elif detail["type"] == "string_type" and isinstance(value, bool):
        remedy = "YAML reads an unquoted yes, no, on, off, true or false so: put it in quotes."
    elif detail["type"] == "string_type" and isinstance(value, (int, float)):
        remedy = "Put it in quotes."
    return f"expected {expected}, found {_found(value)}.", remedy


def _unknown(detail: ErrorDetails, path: KeyPath, where: _Where) -> tuple[str, str]:
    name = str(path[-1])
    inside = "tidegate" in path[where.depth : -1]
    ours = _OURS.get(where.level, frozenset())
    if not inside and name in ours:
        return "stands in the wrong place.", "Move it under `config.meta.tidegate`."
    if not inside and name == "tidegate":
        return "stands in the wrong place.", "Move it to `config.meta.tidegate`."
    if name in _INSTEAD:
        return "is not used in contracts.", _INSTEAD[name]
    if where.level == "file" and name in _SECTIONS:
        return "does not belong into contracts.", "Move it to a property file under models/."
    if len(path) == where.depth + 1 and name in _known_keys(where.kind, ("config",)):
        return "stands in the wrong place.", "Move it under `config`."
    known = _known_keys(where.kind, detail["loc"][:-1])
    if len(path) == where.depth + 1:
        known |= frozenset(where.separate)
    return "is not a known key.", suggestion(name, known) or f"Known: {', '.join(sorted(known))}."


def _known_keys(kind: type[BaseModel], loc: tuple[int | str, ...]) -> frozenset[str]:
    """The keys allowed at `loc` of `kind`, from its JSON Schema."""
    schema = kind.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    places = [schema]
    for step in loc:
        if isinstance(step, str):
            places = [found for place in places for found in _inside(place, step, definitions)]
        else:
            places = [place["items"] for place in places if "items" in place]
        places = [found for place in places for found in _expanded(place, definitions)]
    return frozenset(key for place in places for key in place.get("properties", {}))


def _inside(place: dict[str, Any], step: str, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    if step in place.get("properties", {}):
        return [place["properties"][step]]
    # A member of a union: pydantic puts its tag into the path, the schema does not.
    constant = place.get("properties", {}).get("type", {})
    if step == constant.get("const") or step in constant.get("enum", ()):
        return [place]
    return []


def _expanded(place: dict[str, Any], definitions: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in place:
        return _expanded(definitions[place["$ref"].rpartition("/")[2]], definitions)
    members = place.get("anyOf", place.get("oneOf", place.get("allOf")))
    if members:
        return [found for member in members for found in _expanded(member, definitions)]
    return [place]


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return _shown(value)


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else repr(value)


_ADD = {
    "enforced": "Add `contract: {enforced: true}` under `config`.",
    "contract": "Add `contract: {enforced: true}` under `config`.",
    "description": "Say in one sentence what it means.",
    "data_type": "Add a PostgreSQL type, such as `text`.",
    "version": "Add `version`.",
}
_SECTIONS = frozenset(
    """
    analyses exposures functions groups macros metrics saved_queries seeds semantic_models
    snapshots unit_tests
    """.split()  # noqa: SIM905
)
_INSTEAD = {
    "tests": "Write `data_tests:`.",
    "identifier": "The name of a dataset is the name of its view in `landing`.",
    "database": "All layers are in one database.",
    "quoting": "Tidegate quotes every name.",
    "alias": "A model is called by its own name.",
    "enabled": "Delete the contract instead.",
}
