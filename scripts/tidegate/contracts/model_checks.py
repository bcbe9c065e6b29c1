"""What a model's keys must agree on among themselves, with its columns and with its folder."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.contracts.column_checks import check_enum, check_mask
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.gate_entries import bare_name
from tidegate.contracts.keys import ModelColumnKeys, ModelKeys, ProvenancePolicy
from tidegate.contracts.model import ModelColumn
from tidegate.contracts.pieces import check_known, column_names, column_places
from tidegate.contracts.types import PgType
from tidegate.errors import UsageError
from tidegate.names import checked_family

_OURS = ("config", "meta", "tidegate")


def check_column(document: Document, path: KeyPath, keys: ModelColumnKeys, kind: PgType) -> None:
    """Report everything that one column contradicts itself in."""
    check_enum(document, (*path, *_OURS, "enum"), keys.enum, kind)
    check_mask(document, (*path, *_OURS, "mask"), keys.mask, kind)


def check_model(
    document: Document,
    path: KeyPath,
    keys: ModelKeys,
    columns: Sequence[ModelColumn],
    prefix: str = "",
) -> None:
    """Report everything that one model contradicts itself in.

    `prefix` stands before the names of Tidegate's tests in the project.
    """
    ours = (*path, *_OURS)
    names = column_names(document, path)
    _check_family(document, (*ours, "family"), keys.family)
    check_known(document, (*ours, "row_key"), keys.row_key, names)
    check_known(document, (*ours, "provenance", "facts"), keys.provenance.facts, names)
    _check_facts(document, (*ours, "provenance"), keys)
    for index, reference in enumerate(keys.references):
        place = (*ours, "references", index)
        check_known(document, (*place, "columns"), reference.columns, names)
        if reference.array and len(reference.columns) != 1:
            document.report(
                (*place, "array"), "is for one column.", "Write one reference for each array."
            )
        if reference.to_columns and len(reference.to_columns) != len(reference.columns):
            document.report(
                (*place, "to_columns"),
                f"has {len(reference.to_columns)} columns for {len(reference.columns)}.",
                "Give as many as there are `columns`.",
            )
    for key in ("artifacts_days", "rows_days", "quarantine_days"):
        if getattr(keys.retention, key) is not None:
            document.report(
                (*ours, "retention", key), "means nothing for a model.", "Use `generations`."
            )
    _check_keys(document, path, keys, columns)
    _check_policy(document, path, keys, prefix)


def _check_family(document: Document, place: KeyPath, family: str) -> None:
    try:
        checked_family(family)
    except UsageError as error:
        document.report(place, error.message, error.remedy)
        return
    if family != document.folder:
        where = f"contracts/{document.folder}/" if document.folder else "contracts/"
        document.report(
            place,
            f"{family!r} is not the folder of the file, {where}.",
            f"Move the file to contracts/{family}/, or correct the family.",
        )


def _check_facts(document: Document, place: KeyPath, keys: ModelKeys) -> None:
    needed = keys.provenance.policy is ProvenancePolicy.FACT_REQUIRED
    if needed and not keys.provenance.facts:
        document.report(
            (*place, "facts"), "is missing.", "`fact_required` needs the columns it is about."
        )
    if keys.provenance.facts and not needed:
        document.report(
            (*place, "facts"),
            f"means nothing under `{keys.provenance.policy.value}`.",
            "Use `fact_required`, or remove it.",
        )


def _check_keys(
    document: Document, path: KeyPath, keys: ModelKeys, columns: Sequence[ModelColumn]
) -> None:
    """Key columns are never null and never masked: gates and receipts are told by them."""
    places = column_places(document, path)
    referring = {name for reference in keys.references for name in reference.columns}
    for column in columns:
        place = places[column.name]
        if column.name in keys.row_key and column.nullable:
            document.report(
                (*place, "constraints"),
                f"{column.name!r} is part of the row key.",
                "Add `constraints: [{type: not_null}]`.",
            )
        if column.keys.mask is not None and column.name in {*keys.row_key, *referring}:
            document.report((*place, *_OURS, "mask"), "hides a key column.", "Remove the mask.")


def _check_policy(document: Document, path: KeyPath, keys: ModelKeys, prefix: str) -> None:
    tests = document.value((*path, "data_tests"))
    entries = tests if isinstance(tests, list) else []
    has_test = any(bare_name(entry) == "quality_policy" for entry in entries)
    if keys.quality_policy is not None and not has_test:
        document.report(
            (*path, *_OURS, "quality_policy"),
            "is never run by dbt.",
            f"Add `{prefix}quality_policy` to `data_tests`.",
        )
    if keys.quality_policy is None and has_test:
        document.report(
            (*path, "data_tests"),
            "has `quality_policy`, but there is no policy.",
            "Add `quality_policy` under `config.meta.tidegate`.",
        )
