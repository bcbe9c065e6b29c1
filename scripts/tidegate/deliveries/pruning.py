"""Retention carried out: old stages, quarantined values, rows and artefacts are removed.

Small transactions, each of which looks again at what may go while no hold can be placed, and leaves
an audit event and a row for each delivery in `governance.delivery_prunings`. Killed between two of
them, it is taken up by the next call. Evidence stays: counts, reasons, hashes, validations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.model import Project
from tidegate.deliveries import row_retention, staging
from tidegate.deliveries.retention import Prunable, plan
from tidegate.deliveries.vocabulary import Pruned
from tidegate.errors import EnvironmentFailure, UsageError
from tidegate.failpoints import hit
from tidegate.ledger import audit
from tidegate.warehouse import Warehouse
from tidegate.warehouse.connect import privileges

_AT_ONCE = 25
"""Items of one transaction: dropping hundreds of tables in one exhausts the server's locks."""


class Pruner:
    """One execution of the retention: for whom, why, and as of when."""

    def __init__(
        self, project: Project, store: Path, *, by: str, reason: str, at: datetime
    ) -> None:
        if not by.strip() or not reason.strip():
            raise UsageError(
                "Pruning needs who and why.", remedy="Give --by and --reason, not empty."
            )
        self.project, self.store = project, store
        self.by, self.reason, self.at = by, reason, at

    def apply(self, warehouse: Warehouse, dataset: str | None = None) -> tuple[Prunable, ...]:
        """Remove everything that may go; returns what was removed.

        Raises PrivilegeMissing where the connected role may not, EnvironmentFailure where a file
        cannot be removed.
        """
        removed: list[Prunable] = []
        with warehouse.connect(application_name="tidegate prune") as conn:
            for kind in Pruned:
                # Quarantined values before artefacts: what held records needed may then go, too.
                while some := self._some(conn, kind, dataset):
                    removed.extend(some)
        return tuple(removed)

    def _some(self, conn: Connection, kind: Pruned, dataset: str | None) -> Sequence[Prunable]:
        with privileges("prune deliveries (tidegate_operator may)"), conn.transaction():
            conn.execute("lock table governance.delivery_holds in share mode")
            if kind is Pruned.ARTIFACT:
                self._lock_artifacts(conn, dataset)
            found = plan(conn, self.project, at=self.at, dataset=dataset, kinds=(kind,))
            items = [item for item in found if not item.kept_because][:_AT_ONCE]
            if items:
                hit(f"prune.{kind.value}.planned")
            for item in items:
                self._remove(conn, item)
            if items:
                hit(f"prune.{kind.value}.removed")
            self._record(conn, items)
        if items:
            hit(f"prune.{kind.value}.committed")
        return items

    def _lock_artifacts(self, conn: Connection, dataset: str | None) -> None:
        """A receipt of the same bytes waits, and stores them again where they went meanwhile."""
        found = plan(conn, self.project, at=self.at, dataset=dataset, kinds=(Pruned.ARTIFACT,))
        conn.execute(
            "select from governance.artifacts where sha256 = any(%s) order by sha256 for update",
            [[item.sha256 for item in found]],
        )

    def _remove(self, conn: Connection, item: Prunable) -> None:
        if item.kind is Pruned.STAGE:
            assert item.run_id is not None  # noqa: S101 (a stage is a run's)
            staging.clear(conn, staging.Stage(item.run_id, ()))
        elif item.kind is Pruned.QUARANTINE:
            self._empty_quarantine(conn, item)
        elif item.kind is Pruned.ROWS:
            contract = self.project.datasets[item.datasets[0]]
            row_retention.remove(conn, contract, [item.delivery_id], self.at)
        else:
            self._remove_artifact(conn, item)

    def _empty_quarantine(self, conn: Connection, item: Prunable) -> None:
        """Values go, everything about them stays; what was still held is given up by name."""
        days = self.project.datasets[item.datasets[0]].keys.retention.quarantine_days
        facts = {
            "delivery": item.delivery_id,
            "by": self.by,
            "reason": self.reason,
            "at": self.at,
            "days": days,
        }
        conn.execute(_EMPTY_RECORDS, facts)
        conn.execute(_EMPTY_ENUMS, facts)

    def _remove_artifact(self, conn: Connection, item: Prunable) -> None:
        row = conn.execute(
            "update governance.artifacts set pruned_at = clock_timestamp() where sha256 = %s"
            " returning stored_path",
            [item.sha256],
        ).fetchone()
        assert row is not None  # noqa: S101 (the plan has just read it)
        try:
            # Before the commit: a file that outlives a crash is found again by the next call.
            (self.store / row[0]).unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentFailure(
                f"The artefact {item.sha256} could not be removed: {error.strerror}.",
                remedy="Mend the permissions of the store, then prune again.",
            ) from None

    def _record(self, conn: Connection, items: Sequence[Prunable]) -> None:
        by_dataset: dict[str, list[Prunable]] = defaultdict(list)
        for item in items:
            by_dataset[item.datasets[0]].append(item)
            conn.execute(
                "insert into governance.delivery_prunings (kind, dataset, delivery_id, run_id,"
                " artifact_sha256, records, bytes, pruned_by, reason)"
                " values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [
                    item.kind.value,
                    item.datasets[0],
                    item.delivery_id,
                    item.run_id,
                    item.sha256,
                    item.records,
                    item.bytes,
                    self.by,
                    self.reason,
                ],
            )
        for dataset, some in by_dataset.items():
            facts = {
                "kind": some[0].kind.value,
                "deliveries": [item.delivery_id for item in some],
                "records": sum(item.records for item in some),
                "bytes": sum(item.bytes for item in some),
                "reason": self.reason,
            }
            audit.record(conn, "delivery.pruned", dataset, self.by, facts)


_EMPTY_RECORDS = sql.SQL(
    "with found as (select quarantine_id, state from governance.quarantine"
    " where delivery_id = %(delivery)s and pruned_at is null"
    " and last_seen < %(at)s::timestamptz - make_interval(days => %(days)s) for update),"
    " emptied as (update governance.quarantine q set raw = '', pruned_at = clock_timestamp(),"
    " state = case when q.state = 'held' then 'discarded' else q.state end"
    " from found where q.quarantine_id = found.quarantine_id)"
    " insert into governance.quarantine_events (quarantine_id, event, actor, note)"
    " select quarantine_id, 'discarded', %(by)s, %(reason)s from found where state = 'held'"
    " union all select quarantine_id, 'pruned', %(by)s, %(reason)s from found"
)
_EMPTY_ENUMS = sql.SQL(
    "update governance.enum_quarantine set source_value = null, pruned_at = clock_timestamp()"
    " where delivery_id = %(delivery)s and pruned_at is null"
    " and quarantined_at < %(at)s::timestamptz - make_interval(days => %(days)s)"
)
