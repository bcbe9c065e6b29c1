"""Land files: find their dataset, store them, and take each as far as it goes.

`land` is what the command, `refresh` and the tests call. Files are independent of each other: one
that cannot be landed never keeps another from being landed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from psycopg import sql

from tidegate.contracts import load_project
from tidegate.contracts.model import DatasetContract, Project
from tidegate.deliveries import artifacts, attempt, routing, runs, versions
from tidegate.deliveries.outcomes import outcome_of
from tidegate.deliveries.report import DatasetState, FileOutcome, LandingReport
from tidegate.deliveries.runs import Connection
from tidegate.deliveries.vocabulary import RunReason, RunStatus
from tidegate.errors import EnvironmentFailure, TidegateError, UsageError
from tidegate.failpoints import hit
from tidegate.ledger import publications
from tidegate.names import LANDING
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

DEFAULT_TENANT = "default"
OnEvent = Callable[[FileOutcome], None]


@dataclass(frozen=True)
class LandOptions:
    """How to land: for which dataset, and on whose behalf."""

    dataset: str | None = None
    producer: str | None = None
    tenant: str | None = None
    idempotency_key: str | None = None


def land(
    settings: Settings,
    warehouse: Warehouse,
    paths: Sequence[Path],
    options: LandOptions | None = None,
    on_event: OnEvent | None = None,
) -> LandingReport:
    """Land every file of `paths`; the ledger is at its newest version already.

    Raises UsageError for what cannot mean anything (no file, no such dataset, half a producer) and
    ContractError for contracts that cannot be read; everything else is in the report.
    """
    options = options or LandOptions()
    project = load_project(settings.project_dir)
    _check_options(options, project)
    files = routing.list_files(paths)
    if options.idempotency_key and len(files) > 1:
        raise UsageError(
            f"One idempotency key was given for {len(files)} files.",
            remedy="Land them one by one, each with its own key.",
        )
    patterns = {name: item.keys.delivery.match for name, item in project.datasets.items()}
    outcomes: list[FileOutcome] = []
    with warehouse.connect(application_name="tidegate land") as conn:
        versions.prepare(conn, project.datasets.values())
        for source in files:
            found = options.dataset or routing.route(source, patterns)
            if isinstance(found, routing.Unrouted):
                outcome = FileOutcome(source.name, error=found.message, exit_code=2)
            else:
                lander = Lander(settings, warehouse, conn, project.datasets[found], options)
                outcome = lander.land(source)
            outcomes.append(outcome)
            if on_event:
                on_event(outcome)
        return LandingReport(tuple(outcomes), states(conn, project))


def prepare(warehouse: Warehouse, project: Project) -> None:
    """Make `landing.<dataset>` of every contract, so that dbt finds its sources."""
    with warehouse.connect() as conn:
        versions.prepare(conn, project.datasets.values())


def _check_options(options: LandOptions, project: Project) -> None:
    if options.dataset and options.dataset not in project.datasets:
        names = ", ".join(sorted(project.datasets)) or "none"
        raise UsageError(
            f"There is no dataset {options.dataset!r}.", remedy=f"The contracts declare: {names}."
        )
    if bool(options.producer) != bool(options.idempotency_key):
        raise UsageError(
            "A producer and its idempotency key belong together.",
            remedy="Give both --producer and --idempotency-key, or neither.",
        )
    if options.tenant and not options.producer:
        raise UsageError(
            "A tenant was given without a producer.",
            remedy="Give --producer and --idempotency-key too.",
        )


@dataclass(frozen=True)
class Lander:
    """Lands one file for one dataset."""

    settings: Settings
    warehouse: Warehouse
    conn: Connection
    contract: DatasetContract
    options: LandOptions

    def land(self, source: routing.SourceFile) -> FileOutcome:
        """Store the file and run it; an error of ours becomes the file's outcome."""
        try:
            artifact = artifacts.store(source.path, self.settings.artifacts_dir)
            hit("receive.stored")
            return self._locked(source, artifact)
        except TidegateError as error:
            return FileOutcome(
                source.name,
                dataset=self.contract.name,
                error=str(error),
                exit_code=error.exit_code,
            )

    def _locked(self, source: routing.SourceFile, artifact: artifacts.Artifact) -> FileOutcome:
        """Wait for whoever lands the same bytes; the lock ends with the guard's transaction."""
        attempt_key = self._attempt(artifact)
        with self.warehouse.transaction(application_name="tidegate land lock") as guard:
            if attempt_key:
                published = publications.serialise(guard, attempt_key)
                if published and published.delivery_id is not None:
                    return self._duplicate(source, published.delivery_id)
            runs.lock_delivery(guard, self.contract.name, artifact.sha256)
            before = runs.accepted_delivery(self.conn, self.contract.name, artifact.sha256)
            if before is not None:
                return self._duplicate(source, before)
            run = self._run(source, artifact, attempt_key)
            job = attempt.Job(
                self.conn, run, self.contract, self.settings.artifacts_dir, attempt_key
            )
            return attempt.process(job)

    def _run(
        self,
        source: routing.SourceFile,
        artifact: artifacts.Artifact,
        key: publications.Attempt | None,
    ) -> runs.Run:
        """The run to work on: a new delivery's, or the next of one that is not over."""
        left = runs.open_run(self.conn, self.contract.name, artifact.sha256)
        if left is None:
            run = runs.receive(self.conn, self.contract.name, source.name, artifact, key)
            hit("receive.recorded")
            return run
        with self.conn.transaction():
            if left.status is not RunStatus.PARKED:
                runs.finish(
                    self.conn,
                    left,
                    RunStatus.FAILED,
                    halted_in=runs.STAGE_OF[left.status],
                    reason=RunReason.INTERRUPTED.value,
                    detail="The process that ran it ended; the next run took the delivery over.",
                )
                return runs.start(self.conn, left, source_name=source.name)
        return left

    def _duplicate(self, source: routing.SourceFile, delivery_id: int) -> FileOutcome:
        run_id = runs.record_duplicate(self.conn, self.contract.name, source.name, delivery_id)
        return outcome_of(self.conn, run_id)

    def _attempt(self, artifact: artifacts.Artifact) -> publications.Attempt | None:
        options = self.options
        if not options.producer or not options.idempotency_key:
            return None
        request = f"{self.contract.name}\n{artifact.sha256}"
        return publications.Attempt(
            options.tenant or DEFAULT_TENANT,
            options.producer,
            options.idempotency_key,
            hashlib.sha256(request.encode()).hexdigest(),
        )


def states(conn: Connection, project: Project) -> tuple[DatasetState, ...]:
    """What readers of every dataset see now."""
    found = []
    for name in sorted(project.datasets):
        row = conn.execute(
            sql.SQL(
                "select (select count(*) from {}),"
                " (select max(delivery_id) from governance.materializations"
                " where dataset = %(name)s and origin = 'delivery'),"
                " (select count(*) from governance.runs"
                " where dataset = %(name)s and status = 'parked'),"
                " (select count(*) from governance.quarantine_index"
                " where dataset = %(name)s and state = 'held')"
            ).format(sql.Identifier(LANDING, name)),
            {"name": name},
        ).fetchone()
        assert row is not None  # noqa: S101 (aggregates always return)
        found.append(DatasetState(name, *row))
    return tuple(found)


__all__ = ["EnvironmentFailure", "LandOptions", "land", "prepare", "states"]
