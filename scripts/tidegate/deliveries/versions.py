"""Schema versions of a dataset: `current` is what was last observed, `contract` what is agreed.

The checked-in YAML is the authority; the contract marker says which hash of it was promoted, by
whom, when and why (design §3). Both markers are partial unique indexes: a race between two runs
ends in a wait, never in two markers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import tables
from tidegate.deliveries.runs import connected_role
from tidegate.errors import UsageError
from tidegate.ledger import approvals, audit
from tidegate.warehouse.locks import no_limit

FIRST = "first contract"
Shape = list[dict[str, Any]]


@dataclass(frozen=True)
class Marker:
    """The contract a dataset is held to."""

    schema_version_id: int
    contract_sha256: str
    contract_version: str


def digest(shape: Shape) -> str:
    """SHA-256 over the fields' names, types and nullability, in order."""
    text = json.dumps(shape, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def contract_shape(contract: DatasetContract) -> Shape:
    """The shape a contract declares."""
    return [
        {"name": column.name, "type": column.type.sql, "nullable": not column.keys.required}
        for column in contract.columns
    ]


def lock(conn: Connection, dataset: str) -> None:
    """Serialise everything that moves a marker of this dataset, until the transaction ends."""
    with no_limit(conn):
        conn.execute(
            "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array("
            "'tidegate.schema_versions', %s::text)::text, 0))",
            [dataset],
        )


def marker(conn: Connection, dataset: str) -> Marker | None:
    """The contract marker, if anything was ever promoted."""
    return _markers(conn, [dataset]).get(dataset)


def _markers(conn: Connection, datasets: Sequence[str]) -> dict[str, Marker]:
    rows = conn.execute(
        "select dataset, schema_version_id, contract_sha256, contract_version"
        " from governance.schema_versions where dataset = any(%s) and is_contract",
        [list(datasets)],
    ).fetchall()
    return {row[0]: Marker(*row[1:]) for row in rows}


def observe(conn: Connection, dataset: str, shape: Shape) -> int:
    """Append what a delivery looks like where it is new, and move `current` to it."""
    with conn.transaction():
        lock(conn, dataset)
        sha256 = digest(shape)
        row = conn.execute(
            "select schema_version_id, shape_sha256 from governance.schema_versions"
            " where dataset = %s and is_current",
            [dataset],
        ).fetchone()
        if row and row[1] == sha256:
            return int(row[0])
        conn.execute(
            "update governance.schema_versions set is_current = false"
            " where dataset = %s and is_current",
            [dataset],
        )
        made = conn.execute(
            "insert into governance.schema_versions"
            " (dataset, origin, shape, shape_sha256, is_current)"
            " values (%s, 'observed', %s, %s, true) returning schema_version_id",
            [dataset, Jsonb(shape), sha256],
        ).fetchone()
        assert made is not None  # noqa: S101 (returning always returns)
        return int(made[0])


def promote_contract(conn: Connection, dataset: DatasetContract, by: str, reason: str) -> Marker:
    """Move the contract marker to this YAML, with approver and reason; make its table and view.

    Promoting what is promoted already changes nothing. Raises UsageError without actor or reason,
    PrivilegeMissing where the connected role is none of the contract's approvers.
    """
    if not by.strip() or not reason.strip():
        raise UsageError(
            "A promotion needs a name and a reason.", remedy="Give both: --by and --reason."
        )
    approvals.require_authority(
        conn, dataset.keys.drift.approvers, to=f"promote the contract of {dataset.name}"
    )
    return _promote(conn, dataset, by, reason)


def _promote(conn: Connection, dataset: DatasetContract, by: str, reason: str) -> Marker:
    with conn.transaction():
        lock(conn, dataset.name)
        held = marker(conn, dataset.name)
        if held is None or held.contract_sha256 != dataset.sha256:
            held = _move(conn, dataset, by, reason)
        tables.ensure(conn, dataset)
    return held


def _move(conn: Connection, dataset: DatasetContract, by: str, reason: str) -> Marker:
    shape = contract_shape(dataset)
    conn.execute(
        "update governance.schema_versions set is_contract = false"
        " where dataset = %s and is_contract",
        [dataset.name],
    )
    row = conn.execute(
        "insert into governance.schema_versions (dataset, origin, shape, shape_sha256,"
        " contract_version, contract_sha256, is_contract, promoted_by, promoted_at,"
        " promotion_reason, approvers) values (%s, 'contract', %s, %s, %s, %s, true, %s,"
        " clock_timestamp(), %s, %s) returning schema_version_id",
        [
            dataset.name,
            Jsonb(shape),
            digest(shape),
            dataset.keys.version,
            dataset.sha256,
            by,
            reason,
            list(dataset.keys.drift.approvers),
        ],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    audit.record(
        conn,
        "contract.promoted",
        dataset.name,
        by,
        {"contract_sha256": dataset.sha256, "contract_version": dataset.keys.version},
    )
    return Marker(row[0], dataset.sha256, dataset.keys.version)


def require_authorised(conn: Connection, contract: DatasetContract, remedy: str) -> None:
    """Refuse what reads under a contract that nobody promoted or approved, with a UsageError."""
    if not authorised(conn, contract):
        raise UsageError(
            f"Version {contract.keys.version} of {contract.path} was not promoted.", remedy=remedy
        )


def authorised(conn: Connection, contract: DatasetContract) -> bool:
    """Whether the marker stands at this YAML, moved there now if its hash was approved before.

    An approval counts until it expires; what it says is what the promotion records.
    """
    held = marker(conn, contract.name)
    if held is not None and held.contract_sha256 == contract.sha256:
        return True
    row = conn.execute(
        "select approved_by, reason from governance.contract_approvals"
        " where dataset = %s and contract_sha256 = %s"
        " and (expires_at is null or expires_at > clock_timestamp())"
        " order by approval_id desc limit 1",
        [contract.name, contract.sha256],
    ).fetchone()
    if row is None:
        return False
    _promote(conn, contract, row[0], row[1])
    return True


def prepare(conn: Connection, datasets: Iterable[DatasetContract]) -> None:
    """Give every dataset its first contract, its table and its view, so that dbt can read them.

    The very first contract of a dataset is promoted by whoever lands first: there is nothing yet
    that it could contradict, and the promotion is recorded and audited like every other (decision
    0005). Later contracts need `promote_contract` or an approval. All datasets are looked at
    together: mostly there is nothing to do.
    """
    every = list(datasets)
    markers = _markers(conn, [dataset.name for dataset in every])
    incomplete = tables.incomplete(conn, every)
    for dataset in every:
        held = markers.get(dataset.name)
        if held is None:
            _promote(conn, dataset, connected_role(conn), FIRST)
        elif held.contract_sha256 == dataset.sha256 and dataset.name not in incomplete:
            continue
        elif authorised(conn, dataset):
            with conn.transaction():
                tables.ensure(conn, dataset)
