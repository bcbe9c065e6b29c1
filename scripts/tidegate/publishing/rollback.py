"""`rollback`: one row too; the head moves to a generation that is kept."""

from __future__ import annotations

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import audit, generations, outbox
from tidegate.ledger.generations import GenerationState
from tidegate.names import generation_label
from tidegate.publishing import promotion_views, serving, settle
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.warehouse import Warehouse, locks

TOPIC = "datasource.publication.rolled_back"


def rollback(
    warehouse: Warehouse, family: str, to: int | None, *, by: str, reason: str
) -> tuple[FamilyOutcome, ...]:
    """Serve an earlier published generation again (None: the one served before the present one).

    Families of a reference cycle were judged and published together, so they go back together.
    Views are touched only where the shape differs. Raises UsageError where there is nothing to
    go back to.
    """
    with warehouse.connect(autocommit=False, application_name="tidegate rollback") as conn:
        locks.stay_open(conn)
        locks.take_build_lock(conn)
        locks.use_short_waits(conn)
        served = generations.served_generation(conn, family)
        if served is None:
            raise UsageError(
                f"{family} is not published.", remedy="`tidegate status` lists the families."
            )
        target = _target(conn, family, served, to)
        moves = generations.published_together(conn, family, target)
        for member, generation in moves:
            _move(conn, member, generation, by=by, reason=reason)
        for member, generation in moves:
            promotion_views.change_back(conn, member, generation)
        _commit(conn, warehouse)
    return tuple(
        FamilyOutcome(member, Verdict.PUBLISHED, served=generation, generation=generation)
        for member, generation in moves
    )


def _move(conn: Connection, family: str, target: int, *, by: str, reason: str) -> None:
    """Move one head, say so, and tell cached plans; a head that is there already is left alone."""
    served = generations.served_generation(conn, family)
    if served == target:
        return
    parents = serving.parents_of(conn, family, target)
    generations.move_head(conn, family, target, kind="rollback", by=by, reason=reason)
    details = {"from": served, "to": target, "reason": reason}
    audit.record(conn, "family.rolled_back", family, by, details)
    outbox.enqueue(conn, TOPIC, family, outbox.owner_of(conn, family), details)
    locks.retried(
        conn,
        f"The serving parents of {family}",
        lambda: serving.touch(conn, family, parents),
    )


def _commit(conn: Connection, warehouse: Warehouse) -> None:
    """Commit; a lost reply is settled by the move of the head, under the build lock.

    Repeated by mistake, a rollback without a target would go one generation further back.
    """
    row = conn.execute("select pg_current_xact_id()::text").fetchone()

    def happened(again: Connection) -> bool:
        locks.take_build_lock(again)
        found = again.execute(
            "select exists (select from governance.head_moves where transaction_id = %s::xid8)", row
        ).fetchone()
        return bool(found and found[0])

    settle.commit(conn, warehouse, happened, "rolled back")


def _target(conn: Connection, family: str, served: int, to: int | None) -> int:
    if to is None:
        row = conn.execute(
            "select generation from governance.generations where family = %s"
            " and state = 'published' and generation < %s order by generation desc limit 1",
            [family, served],
        ).fetchone()
        if row is None:
            raise UsageError(
                f"{family} has no published generation before {generation_label(served)}.",
                remedy="Nothing to roll back to.",
            )
        return int(row[0])
    found = generations.find(conn, family, to)
    if found is None or found.state is not GenerationState.PUBLISHED:
        state = found.state.value if found else "unknown"
        raise UsageError(
            f"{family} {generation_label(to)} cannot be served: it is {state}.",
            remedy="Only a published generation that is kept can be; `tidegate status` lists them.",
        )
    if to == served:
        raise UsageError(
            f"{family} {generation_label(to)} is being served already.", remedy="Name another."
        )
    return to
