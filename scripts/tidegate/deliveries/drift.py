"""What a delivery looks like against its contract, and what the drift policy does about it.

The comparison is always with the contract, never with the last run, and what was recorded once
stays as it was classified (governance seed, "Policy"). `resolve` is called for every run; people's
answers are in `approvals`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.keys import ChangeKind, Classification, Disposition, ParseOptions
from tidegate.contracts.model import DatasetColumn, DatasetContract
from tidegate.deliveries.observe import ObservedColumn
from tidegate.deliveries.parsing import Reader
from tidegate.deliveries.runs import Run
from tidegate.deliveries.vocabulary import Resolution
from tidegate.shapes.classify import classify
from tidegate.shapes.decide import ChangeDecision, Decision
from tidegate.shapes.model import Field, Origin, SchemaDiff, Shape

POLICY = "drift policy"
"""Who resolved what nobody was asked about."""


@dataclass(frozen=True)
class Verdict:
    """What follows for the run; `parked` and `refused` name the fields.

    `unknown`: the policy blocks the whole, and no single change says why. Nothing could be
    compared, so nothing passed.
    """

    parked: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    automatic: tuple[str, ...] = ()
    unknown: bool = False

    @property
    def waits(self) -> bool:
        """Whether the run cannot go on now."""
        return bool(self.parked or self.refused or self.rejected or self.unknown)


def declared(contract: DatasetContract) -> Shape:
    """The contract as a shape."""
    return Shape(
        tuple(
            Field(column.name, column.type, nullable=not column.keys.required)
            for column in contract.columns
        )
    )


RECORDS_DECIDE = 0.5
"""From this share of fitting values on, a column has bad records, not another type."""


def observed(contract: DatasetContract, reader: Reader) -> Shape:
    """The delivery as a shape: its fields in file order, under the contract's names.

    Members of JSON that no record has are absent, not removed, unless they are required: a
    document leaves out what it does not know.
    """
    columns = {column.keys.header or column.name: column for column in contract.columns}
    names = {column.name for column in contract.columns}
    absent = set(reader.layout.missing)
    fields = []
    for name, tally in zip(reader.layout.fields, reader.tallies, strict=True):
        column = columns.get(name)
        if column is not None and column.name in absent and column.keys.required:
            continue
        # A stray field may be called like a column that the contract reads from another header.
        stray = column is None and name in names
        fields.append(_field(f"{name} (header)" if stray else name, column, tally.observed()))
    return Shape(tuple(fields), Origin.OBSERVED)


def _field(name: str, column: DatasetColumn | None, seen: ObservedColumn) -> Field:
    if column is None:
        return Field(
            name,
            nullable=seen.nullable,
            observed=seen.logical,
            confidence=seen.confidence,
            leading_zeros=seen.leading_zeros > 0,
        )
    logical = seen.logical
    declared_type = column.type.logical
    fitting = seen.support.get(declared_type, 0)
    own_format = column.keys.parse != ParseOptions()
    records_decide = not seen.leading_zeros and fitting >= RECORDS_DECIDE * seen.values
    if own_format or records_decide:
        # Formats of its own are read record by record; so is a column of which most values fit.
        logical = declared_type
    return Field(
        column.name,
        nullable=seen.nullable,
        observed=logical,
        confidence=None if logical is declared_type else seen.confidence,
        leading_zeros=seen.leading_zeros > 0 and not own_format,
    )


def columns_document(reader: Reader) -> list[dict[str, Any]]:
    """What was observed of every field, as the run keeps it: counts, never values."""
    return [
        {
            "name": seen.name,
            "type": seen.logical.value,
            "confidence": round(seen.confidence, 6),
            "values": seen.values,
            "nulls": seen.nulls,
            "leading_zeros": seen.leading_zeros,
            "ambiguous_dates": seen.ambiguous_dates,
            "min_length": seen.min_length,
            "max_length": seen.max_length,
        }
        for seen in (tally.observed() for tally in reader.tallies)
    ]


def shape_document(shape: Shape) -> list[dict[str, Any]]:
    """A shape as the ledger keeps it."""
    return [
        {
            "name": field.name,
            "type": field.type.sql if field.type else field.logical.value,
            "nullable": field.nullable,
        }
        for field in shape.fields
    ]


def compare(contract: DatasetContract, seen: Shape) -> SchemaDiff:
    """Classify the difference, with the overrides of the dataset's policy."""
    return classify(declared(contract), seen, overrides(contract.policy))


def overrides(policy: Mapping[str, Any] | None) -> dict[ChangeKind, Classification]:
    """`schema_policy` of a quality policy."""
    given = (policy or {}).get("schema_policy") or {}
    return {ChangeKind(kind): Classification(value) for kind, value in given.items()}


def resolve(conn: Connection, run: Run, contract: DatasetContract, decision: Decision) -> Verdict:
    """Record every change with its resolution and say what follows."""
    found: dict[Resolution | None, list[str]] = defaultdict(list)
    with conn.transaction():
        _expire(conn, run)
        for change in decision.changes:
            resolution = _record(conn, run, contract, change)
            blocked = change.disposition is Disposition.BLOCK
            found[None if blocked else resolution].append(change.change.field)
    return Verdict(
        tuple(found[Resolution.PARKED]),
        tuple(found[None]),
        tuple(found[Resolution.REJECTED]),
        tuple(found[Resolution.APPLIED_AUTOMATICALLY]),
        unknown=decision.overall is Disposition.BLOCK and not found[None],
    )


def _expire(conn: Connection, run: Run) -> None:
    """An approval that expired before it was used waits for a new one."""
    conn.execute(
        "update governance.drift_changes set resolution = 'parked', resolved_by = null,"
        " resolved_reason = null, resolved_at = null"
        " where run_id = %s and resolution = 'approved' and expires_at <= clock_timestamp()",
        [run.run_id],
    )


def _record(
    conn: Connection, run: Run, contract: DatasetContract, decided: ChangeDecision
) -> Resolution:
    """Write a change, or find it written by an earlier look at the same run."""
    change = decided.change
    resolution = _FIRST[decided.disposition]
    by, why = (POLICY, decided.because) if resolution is not Resolution.PARKED else (None, None)
    row = conn.execute(
        "insert into governance.drift_changes (run_id, delivery_id, dataset, kind, field,"
        " reason_code, classification, disposition, resolution, details, contract_sha256,"
        " resolved_by, resolved_reason, resolved_at)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,"
        " case when %s then clock_timestamp() end)"
        " on conflict (run_id, kind, field) do update set run_id = excluded.run_id"
        " returning resolution, keeps_contract, contract_sha256",
        [
            run.run_id,
            run.delivery_id,
            run.dataset,
            change.kind.value,
            change.field,
            change.reason_code.value,
            change.classification.value,
            decided.disposition.value,
            resolution.value,
            Jsonb(decided.document()),
            contract.sha256,
            by,
            why,
            by is not None,
        ],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    found = Resolution(row[0])
    if found is Resolution.APPROVED and not row[1]:
        # Approved, and the YAML does not say so yet: the run waits for it.
        return Resolution.PARKED
    return found


_FIRST = {
    Disposition.AUTO: Resolution.APPLIED_AUTOMATICALLY,
    Disposition.REVIEW: Resolution.PARKED,
    Disposition.BLOCK: Resolution.REJECTED,
}
