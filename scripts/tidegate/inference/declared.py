"""Loading `inference/*.yml`: every problem of every file, or everything that is declared.

A folder of its own: dbt reads every YAML file under its model paths as property files, and these
are none (docs/decisions/0006).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.key_base import Keys
from tidegate.contracts.pieces import items
from tidegate.contracts.validation import read_piece
from tidegate.contracts.yamlfile import read_document
from tidegate.errors import ContractError, Problem
from tidegate.inference.checks import check_together
from tidegate.inference.model import Declarations, Policy, Profile, Route, Run, Task

FOLDER = "inference"
_SUFFIXES = (".yml", ".yaml")
_SECTIONS = ("tasks", "profiles", "routes", "policies", "runs")
Piece = TypeVar("Piece", bound=BaseModel)


class _Head(Keys):
    """What a file says before its sections."""

    version: int


@dataclass(frozen=True)
class Placed:
    """A declared thing and where it stands."""

    piece: BaseModel
    document: Document
    path: KeyPath


@dataclass
class Found:
    """Everything that was read without fault, by section and identity."""

    tasks: dict[tuple[str, int], Placed] = field(default_factory=dict)
    profiles: dict[tuple[str, int], Placed] = field(default_factory=dict)
    routes: dict[str, Placed] = field(default_factory=dict)
    policies: dict[str, Placed] = field(default_factory=dict)
    runs: dict[str, Placed] = field(default_factory=dict)


def load_declarations(project_dir: Path) -> Declarations:
    """Everything under `inference/`; raise ContractError with all problems of all files.

    A project without the folder declares nothing.
    """
    declarations, problems = examine_declarations(project_dir)
    if problems:
        raise ContractError(problems)
    return declarations


def examine_declarations(project_dir: Path) -> tuple[Declarations, tuple[Problem, ...]]:
    """The faultless declarations and all problems."""
    found = Found()
    documents: list[Document] = []
    for path in _files(project_dir):
        document = read_document(path, path.relative_to(project_dir).as_posix(), for_dbt=False)
        documents.append(document)
        if isinstance(document.data, dict):
            _read_file(document, found)
        elif document.data is not None:
            document.report((), "is not a mapping.", "Start it with `version: 1`.")
    declarations = _declarations(found)
    check_together(declarations, lambda section, key: _place(found, section, key))
    return declarations, tuple(p for document in documents for p in document.problems)


def _files(project_dir: Path) -> list[Path]:
    folder = project_dir / FOLDER
    return sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES and p.is_file())


def _read_file(document: Document, found: Found) -> None:
    head = read_piece(document, (), _Head, "inference", _SECTIONS)
    if head is not None and head.version != 1:
        document.report(("version",), f"is {head.version}.", "It must be 1.")
    for task, path in _pieces(document, "tasks", Task):
        _keep(found.tasks, (task.id, task.revision), task, document, path)
    for profile, path in _pieces(document, "profiles", Profile):
        _keep(found.profiles, (profile.id, profile.revision), profile, document, path)
    for route, path in _pieces(document, "routes", Route):
        _keep(found.routes, route.id, route, document, path)
    for policy, path in _pieces(document, "policies", Policy):
        _keep(found.policies, policy.task, policy, document, path)
    for run, path in _pieces(document, "runs", Run):
        _keep(found.runs, run.task, run, document, path)


def _pieces(document: Document, section: str, kind: type[Piece]) -> Iterator[tuple[Piece, KeyPath]]:
    for path in items(document, (), section):
        piece = read_piece(document, path, kind, "inference")
        if piece is not None:
            yield piece, path


Key = TypeVar("Key")


def _keep(
    there: dict[Key, Placed], key: Key, piece: BaseModel, document: Document, path: KeyPath
) -> None:
    first = there.get(key)
    if first is None:
        there[key] = Placed(piece, document, path)
        return
    where = f"{first.document.file}:{first.document.line(first.path)}"
    document.report(path, f"is also declared in {where}.", "Keep one of them.")


def _declarations(found: Found) -> Declarations:
    def typed(there: dict[Key, Placed], kind: type[Piece]) -> MappingProxyType[Key, Piece]:
        return MappingProxyType(
            {key: at.piece for key, at in there.items() if isinstance(at.piece, kind)}
        )

    return Declarations(
        tasks=typed(found.tasks, Task),
        profiles=typed(found.profiles, Profile),
        routes=typed(found.routes, Route),
        policies=typed(found.policies, Policy),
        runs=typed(found.runs, Run),
    )


def _place(found: Found, section: str, key: object) -> tuple[Document, KeyPath]:
    placed: Placed = getattr(found, section)[key]
    return placed.document, placed.path
