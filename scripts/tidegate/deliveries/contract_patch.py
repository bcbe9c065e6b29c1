"""What a contract file has to become for a schema change: as text, as a patch, and as a hash.

The checked-in YAML stays the authority: the change is written as a patch for somebody to apply and
commit, and the hash says which contract was approved, to the letter of its meaning.
"""

from __future__ import annotations

import difflib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tidegate.contracts import yamltext
from tidegate.contracts.keys import ChangeKind
from tidegate.contracts.load import load_project
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.naming import column_name
from tidegate.errors import UsageError
from tidegate.rules.jsontext import pointer
from tidegate.settings import PROJECT_FILE

TYPES = {
    "integer": "bigint",
    "number": "numeric",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
    "json": "jsonb",
}
"""The type a patch declares for an observed logical type; anything else is text."""
_TYPE_KINDS = (ChangeKind.TYPE_WIDENED, ChangeKind.TYPE_CHANGED)
_ADDED = (ChangeKind.FIELD_ADDED_NULLABLE, ChangeKind.FIELD_ADDED_REQUIRED)


@dataclass(frozen=True)
class Wanted:
    """One approved change; `logical` is the observed logical type of its field."""

    kind: ChangeKind
    field: str
    logical: str


@dataclass(frozen=True)
class Patched:
    """The contract that results: its hash, and the unified diff of its file."""

    sha256: str
    patch: str


def patch(project_dir: Path, contract: DatasetContract, changes: Sequence[Wanted]) -> Patched:
    """Apply changes to a copy of the project's contracts and load the result.

    Raises ContractError where the resulting contracts are not valid (a key column that went, a
    policy about a removed column): then the file has to be edited by hand.
    """
    path = project_dir / contract.path
    before = path.read_text(encoding="utf-8")
    after = _edited(before, contract, changes)
    with tempfile.TemporaryDirectory(prefix="tidegate-contract-") as folder:
        copy = Path(folder)
        shutil.copy(project_dir / PROJECT_FILE, copy / PROJECT_FILE)
        shutil.copytree(project_dir / "contracts", copy / "contracts")
        (copy / contract.path).write_text(after, encoding="utf-8")
        result = load_project(copy).datasets[contract.name]
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{contract.path}",
        f"b/{contract.path}",
    )
    return Patched(result.sha256, "".join(lines))


def _edited(text: str, contract: DatasetContract, changes: Sequence[Wanted]) -> str:
    def edit(document: Any) -> None:
        table = _table(document, contract)
        for change in changes:
            _apply(table, change)
        meta = table["config"]["meta"]["tidegate"]
        version = str(meta["version"])
        if version.isdigit():
            meta["version"] = str(int(version) + 1)

    return yamltext.changed(text, edit)


def _table(document: Mapping[str, Any], contract: DatasetContract) -> Any:
    for source in document.get("sources") or ():
        for table in source.get("tables") or ():
            if table.get("name") == contract.name:
                return table
    raise UsageError(
        f"{contract.path} no longer declares {contract.name}.",
        remedy="Restore it, or reject the change.",
    )


def _apply(table: Any, change: Wanted) -> None:
    columns = table["columns"]
    place = next((i for i, column in enumerate(columns) if column["name"] == change.field), None)
    data_type = TYPES.get(change.logical, "text")
    if change.kind in _ADDED and place is None:
        columns.append(_added(table, change.field, data_type))
    elif change.kind is ChangeKind.FIELD_REMOVED and place is not None:
        del columns[place]
    elif change.kind in _TYPE_KINDS and place is not None:
        columns[place]["data_type"] = data_type


def _added(table: Any, field: str, data_type: str) -> dict[str, Any]:
    """A column for a field of the partner; where its name is no column's, it is found by it."""
    name = column_name(field, {column["name"] for column in table["columns"]})
    column: dict[str, Any] = {
        "name": name,
        "data_type": data_type,
        "description": "Added by an approved schema change; describe it.",
    }
    if name != field:
        csv = table["config"]["meta"]["tidegate"]["format"]["type"] == "csv"
        found_by = {"header": field} if csv else {"path": pointer(field)}
        column["config"] = {"meta": {"tidegate": found_by}}
    return column
