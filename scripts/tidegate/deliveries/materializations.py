"""Materializations: immutable sets of accepted rows, one for the bytes of each delivery."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.layouts import Layout
from tidegate.deliveries.runs import Counts, Run
from tidegate.deliveries.vocabulary import Origin
from tidegate.shapes.model import SchemaDiff


@dataclass(frozen=True)
class Facts:
    """What is known of the rows when they are accepted; `number` was drawn before, or is not."""

    counts: Counts
    diff: SchemaDiff
    schema_version_id: int | None = None
    number: int | None = None


_INSERT = sql.SQL(
    "insert into governance.materializations ({number} dataset, delivery_id, run_id, origin,"
    " artifact_sha256, layout, contract_sha256, schema_version_id, rows, provenance)"
    " {overriding} values ({value} %(dataset)s, %(delivery_id)s, %(run_id)s, %(origin)s,"
    " %(artifact)s, %(layout)s, %(contract)s, %(schema_version_id)s, %(rows)s, %(provenance)s)"
    " on conflict (dataset, artifact_sha256) where origin = 'delivery' do nothing"
    " returning materialization_id"
)
_DRAW = _INSERT.format(number=sql.SQL(""), overriding=sql.SQL(""), value=sql.SQL(""))
_RECORD = _INSERT.format(
    number=sql.SQL("materialization_id,"),
    overriding=sql.SQL("overriding system value"),
    value=sql.SQL("%(number)s,"),
)


def record(
    conn: Connection,
    run: Run,
    contract: DatasetContract,
    layout: Layout,
    origin: Origin,
    facts: Facts,
) -> int | None:
    """Claim the materialization; None where another run accepted these bytes before."""
    provenance = {
        "source_name": run.source_name,
        "contract_version": contract.keys.version,
        "rows_read": facts.counts.read,
        "rows_quarantined": facts.counts.quarantined,
        "schema": facts.diff.document(),
    }
    values = {
        **_identity(run, contract, layout, origin),
        "schema_version_id": facts.schema_version_id,
        "rows": facts.counts.accepted,
        "provenance": Jsonb(provenance),
        "number": facts.number,
    }
    row = conn.execute(_DRAW if facts.number is None else _RECORD, values).fetchone()
    return int(row[0]) if row else None


def draw(conn: Connection, run: Run, contract: DatasetContract, layout: Layout) -> int | None:
    """A number for the rows of a run that are written before they are accepted.

    None where the bytes were accepted before. Whoever may insert may draw: an insert is tried and
    taken back, and a sequence never gives a number twice.
    """
    values = {
        **_identity(run, contract, layout, Origin.DELIVERY),
        "schema_version_id": None,
        "rows": 0,
        "provenance": Jsonb({}),
    }
    with conn.transaction(force_rollback=True):
        row = conn.execute(_DRAW, values).fetchone()
    return int(row[0]) if row else None


def _identity(
    run: Run, contract: DatasetContract, layout: Layout, origin: Origin
) -> dict[str, object]:
    return {
        "dataset": run.dataset,
        "delivery_id": run.delivery_id,
        "run_id": run.run_id,
        "origin": origin.value,
        "artifact": run.artifact.sha256,
        "layout": layout.number,
        "contract": contract.sha256,
    }
