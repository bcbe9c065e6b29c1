"""Loading all contracts of a project: every problem of every file, or every contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from tidegate.contracts.datasets import read_datasets
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.files import FileHead
from tidegate.contracts.model import DatasetContract, ModelContract, Project
from tidegate.contracts.models import ModelDraft, read_models
from tidegate.contracts.pieces import declared
from tidegate.contracts.references import check_generations, check_references
from tidegate.contracts.surroundings import look_around
from tidegate.contracts.validation import read_piece
from tidegate.contracts.yamlfile import read_document
from tidegate.errors import ContractError, Problem

FOLDER = "contracts"
_SUFFIXES = (".yml", ".yaml")


def load_project(project_dir: Path) -> Project:
    """All contracts under `contracts/`; raise ContractError with all problems of all files."""
    project, problems = examine_project(project_dir)
    if problems:
        raise ContractError(problems)
    return project


def examine_project(project_dir: Path) -> tuple[Project, tuple[Problem, ...]]:
    """The faultless contracts and all problems, for those who list both."""
    documents: list[Document] = []
    datasets: list[DatasetContract] = []
    drafts: list[ModelDraft] = []
    around = look_around(project_dir)
    for path in contract_files(project_dir):
        document = read_document(path, path.relative_to(project_dir).as_posix())
        documents.append(document)
        if document.data is None or not isinstance(document.data, dict):
            _check_form(document)
            continue
        read_piece(document, (), FileHead, "file", ("sources", "models"))
        if set(document.data) <= {"version"}:
            document.report((), "holds no contract.", "Add `sources` or `models`.")
        datasets.extend(read_datasets(document, around))
        drafts.extend(read_models(document, around))
    _check_duplicates(documents)
    check_references(documents, drafts)
    check_generations(drafts)
    models = [draft.contract for draft in drafts if draft.faultless]
    project = Project(
        datasets=MappingProxyType({it.name: it for it in sorted(datasets, key=_name)}),
        models=MappingProxyType({it.name: it for it in sorted(models, key=_name)}),
    )
    problems = [problem for document in documents for problem in document.problems]
    return project, (*_unread_files(project_dir), *problems)


def contract_files(project_dir: Path) -> list[Path]:
    """The files dbt reads as contracts, sorted by path."""
    folder = project_dir / FOLDER
    return sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES and path.is_file())


def _unread_files(project_dir: Path) -> Iterator[Problem]:
    """Files that look like contracts to people but not to dbt."""
    for path in sorted((project_dir / FOLDER).rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.suffix not in _SUFFIXES:
            file = path.relative_to(project_dir).as_posix()
            yield Problem(file, 0, "", "is not read by dbt.", f"Rename it to {path.stem}.yml.")


def _check_form(document: Document) -> None:
    if document.data is not None:
        document.report((), "is not a mapping.", "Start it with `version: 2`.")


def _check_duplicates(documents: Sequence[Document]) -> None:
    first: dict[tuple[str, str], tuple[str, int]] = {}
    for document, kind, name, path in _all_declared(documents):
        line = document.line((*path, "name"))
        file, where = first.setdefault((kind, name.casefold()), (document.file, line))
        if (file, where) != (document.file, line):
            document.report(
                (*path, "name"), f"{kind} {name!r} is also in {file}:{where}.", "Keep one of them."
            )


def _all_declared(documents: Iterable[Document]) -> Iterator[tuple[Document, str, str, KeyPath]]:
    for document in documents:
        for kind, name, path in declared(document):
            yield document, kind, name, path


def _name(contract: DatasetContract | ModelContract) -> str:
    return contract.name
