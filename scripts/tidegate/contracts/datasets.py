"""From a file's `sources:` to datasets, with every problem reported."""

from __future__ import annotations

from collections.abc import Iterator

from tidegate.contracts import pieces
from tidegate.contracts.column_types import column_type
from tidegate.contracts.dataset_checks import check_column, check_dataset
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.files import DatasetColumnFile, DatasetHead, SourceHead
from tidegate.contracts.freshness_checks import check_freshness
from tidegate.contracts.gate_entries import check_tests
from tidegate.contracts.hashing import dataset_hash
from tidegate.contracts.model import DatasetColumn, DatasetContract
from tidegate.contracts.policies import read_policy
from tidegate.contracts.surroundings import Surroundings
from tidegate.contracts.validation import read_piece

FOLDER = "datasets"


def read_datasets(document: Document, around: Surroundings) -> Iterator[DatasetContract]:
    """The faultless datasets of one file."""
    for path in pieces.items(document, (), "sources"):
        source = read_piece(document, path, SourceHead, "source", ("tables",))
        check_freshness(document, path, ())
        if document.folder != FOLDER:
            document.report(
                path, "is a source outside contracts/datasets/.", "Move it to a file there."
            )
        for table in pieces.items(document, path, "tables", needed=True):
            dataset = _read_dataset(document, table, source, around)
            if dataset:
                yield dataset


def _read_dataset(
    document: Document, path: KeyPath, source: SourceHead | None, around: Surroundings
) -> DatasetContract | None:
    before = len(document.findings)
    head = read_piece(document, path, DatasetHead, "dataset", ("columns",))
    pieces.check_relation_name(document, path)
    names = pieces.column_names(document, path)
    columns = tuple(
        pieces.columns(document, path, lambda it, place: _read_column(it, place, around, names))
    )
    check_tests(document, path, around, names)
    check_freshness(document, path, names)
    if head is None:
        return None
    keys = head.config.meta.tidegate
    policy = read_policy(document, path, keys.quality_policy, around.project_dir)
    check_dataset(document, path, keys, columns)
    if source is None or len(document.findings) > before:
        return None
    freshness = head.freshness or head.config.freshness or source.freshness
    contract = DatasetContract(
        name=head.name,
        source=source.name,
        path=document.file,
        line=document.line((*path, "name")),
        description=head.description,
        columns=columns,
        keys=keys,
        tests=pieces.tests(document, path),
        column_tests=pieces.column_tests(document, path),
        policy=policy,
        sha256="",
    )
    hashed = pieces.with_hash(document, path, contract, lambda it: dataset_hash(it, freshness))
    return hashed if hashed.sha256 else None


def _read_column(
    document: Document, path: KeyPath, around: Surroundings, names: list[str]
) -> DatasetColumn | None:
    column = read_piece(document, path, DatasetColumnFile, "column")
    kind = column_type(document, path)
    check_tests(document, path, around, names)
    if column is None or kind is None:
        return None
    keys = column.config.meta.tidegate
    check_column(document, path, keys, kind)
    return DatasetColumn(
        name=column.name,
        data_type=column.data_type,
        type=kind,
        description=column.description,
        keys=keys,
        line=document.line((*path, "name")),
    )
