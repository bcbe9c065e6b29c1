"""What readers of the landing views see: how many rows, and how many cannot be shown to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import hidden, layouts
from tidegate.deliveries.landing_views import divided, newer_of
from tidegate.deliveries.layouts import Layout
from tidegate.deliveries.report import DatasetState
from tidegate.names import LANDING

_STATES = (Path(__file__).parent / "states.sql").read_text(encoding="utf-8")
_NOTHING = sql.SQL("")


def states(conn: Connection, contracts: Sequence[DatasetContract]) -> tuple[DatasetState, ...]:
    """What readers of each dataset see now.

    The ledger is asked about all of them at once, and rows are read only where it cannot say.
    """
    names = [contract.name for contract in contracts]
    kinds = [contract.keys.delivery.kind for contract in contracts]
    known = conn.execute(
        _STATES.encode(),
        {"datasets": names, "newest_only": [kind is DeliveryKind.SNAPSHOT for kind in kinds]},
    ).fetchall()
    there = layouts.by_dataset(conn, names)
    found = []
    for contract, (latest, parked, held, accepted) in zip(contracts, known, strict=True):
        shown, hiding = divided(contract, there.get(contract.name, []))
        rows = _shown_rows(conn, contract, shown, latest, accepted)
        unseen = hidden.count(conn, contract) if hiding else 0
        found.append(DatasetState(contract.name, rows, latest, parked, held, unseen))
    return tuple(found)


def _shown_rows(
    conn: Connection,
    contract: DatasetContract,
    shown: Sequence[Layout],
    latest: int | None,
    accepted: int | None,
) -> int:
    """How many rows the view has; `latest` is the delivery that a snapshot shows.

    `accepted`: how many rows the materializations say, if all are still where they were accepted,
    so that a landing does not read the whole history again. Elsewhere rows are counted where they
    lie: the view's joins neither add nor drop one.
    """
    kind = contract.keys.delivery.kind
    if kind is DeliveryKind.UPSERT:
        return _count(conn, sql.Identifier(LANDING, contract.name))
    only = latest if kind is DeliveryKind.SNAPSHOT else None
    if kind is DeliveryKind.SNAPSHOT and only is None:
        return 0
    if accepted is not None and len(shown) == 1:
        return accepted
    return sum(
        _count(conn, sql.Identifier(layouts.ROWS, one.relation), only, newer_of(one, shown))
        for one in shown
    )


def _count(
    conn: Connection,
    relation: sql.Identifier,
    delivery: int | None = None,
    where: sql.Composable = _NOTHING,
) -> int:
    only = sql.SQL("") if delivery is None else sql.SQL(" and o._delivery_id = %(delivery)s")
    counted = sql.SQL("select count(*) from {} o where true{}{}").format(relation, only, where)
    row = conn.execute(counted, {"delivery": delivery}).fetchone()
    assert row is not None  # noqa: S101 (aggregates always return)
    return int(row[0])
