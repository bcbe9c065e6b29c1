"""The contract's hash: what is promised, and nothing else.

SHA-256 over RFC 8785 canonical JSON. Comments, the order of keys, the spelling of YAML, aliases of
types and defaults written out do not change it. Neither do lists whose order means nothing (a
closed enum, references, tests). Order does count in columns, row keys and references' columns.

A model's descriptions are part of it, because readers get them with the data (`q_catalog`); a
dataset's are not, because correcting a typing error must not park deliveries. Neither is what its
detectors are told (`detection`), which decides about no delivery.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import rfc8785
from pydantic import BaseModel

from tidegate.contracts.gate_entries import normal_entry
from tidegate.contracts.model import DatasetContract, ModelContract

_SETS = frozenset(
    ("enum", "match", "approvers", "null_tokens", "true_tokens", "false_tokens", "facts",
     "references")
)  # fmt: skip


class HashError(ValueError):
    """The contract holds a number that JSON cannot carry exactly."""


def dataset_hash(contract: DatasetContract, freshness: BaseModel | None) -> str:
    """The hash of what partners must deliver."""
    columns = [
        {
            "name": column.name,
            "type": column.type.sql,
            "keys": _plain(column.keys),
            "tests": _tests(contract.column_tests.get(column.name, ())),
        }
        for column in contract.columns
    ]
    return _sha256(
        {
            "kind": "dataset",
            "name": contract.name,
            "source": contract.source,
            "columns": columns,
            "keys": {**_promised(contract.keys), "quality_policy": contract.policy},
            "freshness": _plain(freshness) if freshness else None,
            "tests": _tests(contract.tests),
        }
    )


def model_hash(contract: ModelContract) -> str:
    """The hash of what readers are promised."""
    columns = [
        {
            "name": column.name,
            "type": column.type.sql,
            "nullable": column.nullable,
            "description": column.description,
            "keys": _plain(column.keys),
            "tests": _tests(contract.column_tests.get(column.name, ())),
        }
        for column in contract.columns
    ]
    return _sha256(
        {
            "kind": "model",
            "name": contract.name,
            "description": contract.description,
            "columns": columns,
            "keys": {**_plain(contract.keys), "quality_policy": contract.policy},
            "unique": [list(columns) for columns in contract.unique],
            "checks": sorted(check.expression for check in contract.checks),
            "tests": _tests(contract.tests),
        }
    )


def _promised(keys: BaseModel) -> dict[str, Any]:
    return {name: value for name, value in _plain(keys).items() if name != "detection"}


def _plain(keys: BaseModel) -> dict[str, Any]:
    plain: dict[str, Any] = keys.model_dump(mode="json")
    return {name: _sorted(name, value) for name, value in plain.items()}


def _sorted(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(key, item) for key, item in value.items()}
    if name in _SETS and isinstance(value, list):
        return sorted(value, key=_canonical)
    return value


def _tests(entries: Sequence[Any]) -> list[Any]:
    return sorted((normal_entry(entry) for entry in entries), key=_canonical)


def _canonical(value: Any) -> bytes:
    try:
        return rfc8785.dumps(value)
    except rfc8785.CanonicalizationError as error:
        raise HashError("holds a number beyond 2^53, which JSON cannot carry exactly.") from error


def _sha256(meaning: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(meaning)).hexdigest()
