"""Retention of generations: detached and dropped only when no running snapshot could notice.

A REPEATABLE READ reader from before the head moved, that first touches the view after the detach,
reads zero rows. So a generation is detached only when no backend, prepared transaction or
replication slot holds a snapshot as old as the move; interrupted detaches are finished first. A few
tables a transaction: dropping hundreds at once exhausts `max_locks_per_transaction`. Never CASCADE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import errors as pg
from psycopg import sql

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.errors import HeldBack, PublishBlocked, UsageError
from tidegate.ledger import audit, examples, generations
from tidegate.ledger.generations import GenerationState
from tidegate.names import generation_label, generation_schema, serving_schema
from tidegate.publishing import candidate
from tidegate.warehouse import Warehouse, locks
from tidegate.warehouse.holders import NOBODY, holders

DEFAULT_KEEP = 10
"""Published generations kept besides the served one, where no contract says."""
_SQL = Path(__file__).parent / "sql"
_TABLES_AT_ONCE = 25
_DETACH_SECONDS = 30


@dataclass(frozen=True)
class PruneItem:
    """One generation that nothing serves: what it is, and why it may not go (empty: it may)."""

    family: str
    generation: int
    state: str
    tables: int
    bytes: int
    kept_because: str

    @property
    def label(self) -> str:
        """Such as `clinical_trials g000041`."""
        return f"{self.family} {generation_label(self.generation)}"

    def document(self) -> dict[str, Any]:
        """The item as JSON."""
        return {
            "family": self.family,
            "generation": generation_label(self.generation),
            "state": self.state,
            "tables": self.tables,
            "bytes": self.bytes,
            "prunable": not self.kept_because,
            "kept_because": self.kept_because or None,
        }


def plan(
    conn: Connection, keep: Mapping[str, int], family: str | None = None
) -> tuple[PruneItem, ...]:
    """Every generation that is not served, oldest first, with the reason why it stays if it does.

    `keep` says how many published generations of a family stay besides the served one.
    """
    text = (_SQL / "prunable_generations.sql").read_text(encoding="utf-8")
    rows = conn.execute(
        text,
        {
            "families": list(keep),
            "keeps": list(keep.values()),
            "default_keep": DEFAULT_KEEP,
            "family": family,
        },
    ).fetchall()
    return tuple(PruneItem(*row) for row in rows)


def apply(
    warehouse: Warehouse, items: tuple[PruneItem, ...], *, by: str, reason: str
) -> tuple[PruneItem, ...]:
    """Detach and drop what may go; return what was removed. Retrying is harmless.

    Raises PublishBlocked where a reader that began meanwhile kept a detach waiting.
    """
    if not by.strip() or not reason.strip():
        raise UsageError("Pruning needs who and why.", remedy="Give --by and --reason, not empty.")
    removed = []
    with warehouse.connect(application_name="tidegate prune") as conn:
        locks.use_short_waits(conn, for_session=True)
        _finish_interrupted(conn)
        for item in items:
            if not item.kept_because:
                _remove(conn, item, by=by, reason=reason)
                removed.append(item)
    return tuple(removed)


def place_hold(
    conn: Connection, family: str, generation: int, *, kind: str, by: str, reason: str
) -> int:
    """Keep a generation from being pruned (`legal`, or `reference` by a consumer)."""
    found = generations.find(conn, family, generation)
    if found is None or found.state is GenerationState.PRUNED:
        raise UsageError(
            f"There is no {family} {generation_label(generation)} to hold.",
            remedy="`tidegate status` lists the generations that are kept.",
        )
    with conn.transaction():
        row = conn.execute(
            "insert into governance.generation_holds (family, generation, kind, holder, reason)"
            " values (%s, %s, %s, %s, %s) returning hold_id",
            [family, generation, kind, by, reason],
        ).fetchone()
        details = {"generation": generation, "kind": kind, "reason": reason}
        audit.record(conn, "generation.hold.placed", family, by, details)
    assert row is not None  # noqa: S101 (returning always returns)
    return int(row[0])


def release_hold(conn: Connection, hold_id: int, *, by: str, reason: str) -> None:
    """End a hold; that it was there stays recorded."""
    with conn.transaction():
        row = conn.execute(
            "update governance.generation_holds set released_at = clock_timestamp(),"
            " released_by = %s, release_reason = %s where hold_id = %s and released_at is null"
            " returning family, generation",
            [by, reason, hold_id],
        ).fetchone()
        if row is None:
            raise UsageError(f"There is no open hold {hold_id}.", remedy="See `tidegate prune`.")
        details = {"generation": row[1], "hold_id": hold_id, "reason": reason}
        audit.record(conn, "generation.hold.released", row[0], by, details)


def _finish_interrupted(conn: Connection) -> None:
    """Finish what a killed prune left half detached."""
    rows = conn.execute(
        "select parent_space.nspname, parent.relname, part_space.nspname, part.relname"
        " from pg_catalog.pg_inherits as inherits"
        " join pg_catalog.pg_class as parent on parent.oid = inherits.inhparent"
        " join pg_catalog.pg_namespace as parent_space on parent_space.oid = parent.relnamespace"
        " join pg_catalog.pg_class as part on part.oid = inherits.inhrelid"
        " join pg_catalog.pg_namespace as part_space on part_space.oid = part.relnamespace"
        " where inherits.inhdetachpending and parent_space.nspname like '%%\\_\\_serving'",
        [],
    ).fetchall()
    for parent_schema, parent, part_schema, part in rows:
        _detach(conn, (parent_schema, parent), (part_schema, part), "finalize")


def _remove(conn: Connection, item: PruneItem, *, by: str, reason: str) -> None:
    schema = generation_schema(item.family, item.generation)
    attached = conn.execute(
        "select parent.relname, part.relname from pg_catalog.pg_class as part"
        " join pg_catalog.pg_inherits as inherits on inherits.inhrelid = part.oid"
        " join pg_catalog.pg_class as parent on parent.oid = inherits.inhparent"
        " where part.relnamespace = to_regnamespace(quote_ident(%s)) order by 2",
        [schema],
    ).fetchall()
    for parent, part in attached:
        _detach(conn, (serving_schema(item.family), parent), (schema, part), "concurrently")
        failpoints.hit("prune.one_detached")
    failpoints.hit("prune.detached")
    names = sorted(candidate.relations(conn, schema))
    for start in range(0, len(names), _TABLES_AT_ONCE):
        batch = [sql.Identifier(schema, name) for name in names[start : start + _TABLES_AT_ONCE]]
        try:
            conn.execute(sql.SQL("drop table {}").format(sql.SQL(", ").join(batch)))
        except pg.DependentObjectsStillExist:
            raise HeldBack(
                f"Another object depends on a table of {item.label}.",
                remedy="Point it at the published views in query, then prune again.",
            ) from None
    failpoints.hit("prune.dropped")
    with conn.transaction():
        conn.execute(sql.SQL("drop schema if exists {}").format(sql.Identifier(schema)))
        why = f"pruned by {by}: {reason}"
        generations.set_state(
            conn, item.family, item.generation, GenerationState.PRUNED, reason=why
        )
        examples.drop(conn, item.family, item.generation)
        details = {"generation": item.generation, "tables": item.tables, "reason": reason}
        audit.record(conn, "generation.pruned", item.family, by, details)
    failpoints.hit("prune.recorded")


def _detach(conn: Connection, parent: tuple[str, str], part: tuple[str, str], how: str) -> None:
    conn.execute("select set_config('statement_timeout', %s, false)", [f"{_DETACH_SECONDS}s"])
    template = "alter table {} detach partition {} " + how
    try:
        conn.execute(sql.SQL(template).format(sql.Identifier(*parent), sql.Identifier(*part)))
    except (pg.LockNotAvailable, pg.QueryCanceled):
        found = ", ".join(holders(conn, [parent, part])) or NOBODY
        raise PublishBlocked(
            f"A table of {part[0]} could not be detached (still used by {found}).",
            remedy="Run the command again when that has ended; nothing was lost.",
        ) from None
    finally:
        conn.execute("select set_config('statement_timeout', '0', false)")
