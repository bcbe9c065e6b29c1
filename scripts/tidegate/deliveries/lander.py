"""One file of one dataset: stored, locked against others that land the same bytes, and run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import artifacts, attempt, routing, runs, staging, versions
from tidegate.deliveries.job import Job
from tidegate.deliveries.outcomes import outcome_of
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.vocabulary import HaltedIn, RunReason, RunStatus
from tidegate.errors import LandingBlocked, TidegateError, UsageError
from tidegate.failpoints import hit
from tidegate.ledger import evidence, publications
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

DEFAULT_TENANT = "default"


@dataclass(frozen=True)
class LandOptions:
    """How to land: for which dataset, and on whose behalf."""

    dataset: str | None = None
    producer: str | None = None
    tenant: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Lander:
    """Lands files of one dataset, and takes its parked runs on."""

    settings: Settings
    warehouse: Warehouse
    conn: Connection
    contract: DatasetContract
    options: LandOptions

    def land(self, source: routing.SourceFile) -> FileOutcome:
        """Store the file and run it; an error of ours becomes the file's outcome.

        A lock that is not to be had ends the command: each further file would wait for it again.
        """
        try:
            artifact = artifacts.store(source.path, self.settings.artifacts_dir)
            hit("receive.stored")
            return self._locked(source, artifact)
        except LandingBlocked:
            raise
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
                artifacts.register(self.conn, artifact)
                self._keep(source, artifact)
                return self._duplicate(source, before)
            run = self._run(source, artifact, attempt_key)
            self._keep(source, artifact)
            evidence.keep_policies(self.conn, [self.contract])
            job = Job(self.warehouse, self.conn, run, self.contract, self.settings, attempt_key)
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
                runs.end_interrupted(self.conn, left)
                staging.drop(self.conn, staging.stage_of(left.run_id, self.contract))
                return runs.start(self.conn, left, source_name=source.name)
        return left

    def _keep(self, source: routing.SourceFile, artifact: artifacts.Artifact) -> None:
        """Store the file again where it was pruned after it was found in the store."""
        root = self.settings.artifacts_dir
        if not artifacts.is_whole(artifact, root):
            artifacts.store(source.path, root)

    def _duplicate(self, source: routing.SourceFile, delivery_id: int) -> FileOutcome:
        run_id = runs.record_duplicate(self.conn, self.contract.name, source.name, delivery_id)
        outcome = outcome_of(self.conn, run_id)
        if self.contract.keys.delivery.kind is DeliveryKind.APPEND:
            # What came later replaces nothing of it.
            return replace(outcome, superseded_by=None)
        return outcome

    def resume(self, run: runs.Run) -> FileOutcome | None:
        """Take a parked run on, where anything that it waits for has happened; else None.

        A producer's key is serialised first, as in `land`: what was published under it meanwhile
        is seen, and nothing is published under it until this run is over.
        """
        key = self._kept_attempt(run)
        with self.warehouse.transaction(application_name="tidegate land lock") as guard:
            used = _published_otherwise(guard, key) if key else ""
            runs.lock_delivery(guard, self.contract.name, run.artifact.sha256)
            now = runs.read_run(self.conn, run.run_id)
            if now is None or now.status is not RunStatus.PARKED or not self._may_go_on(now):
                return None
            if used:
                return self._reject(now, used)
            job = Job(self.warehouse, self.conn, now, self.contract, self.settings, key)
            return attempt.process(job)

    def _reject(self, run: runs.Run, detail: str) -> FileOutcome:
        """The key belongs to another request by now: the delivery has to come under its own."""
        runs.finish(
            self.conn,
            run,
            RunStatus.REJECTED,
            halted_in=HaltedIn.GOVERNANCE,
            reason=RunReason.KEY_USED.value,
            detail=detail,
        )
        return outcome_of(self.conn, run.run_id)

    def _may_go_on(self, run: runs.Run) -> bool:
        row = self.conn.execute(
            "select r.reason, r.contract_sha256, exists (select from governance.drift_changes c"
            " where c.run_id = r.run_id and (c.resolution = 'rejected'"
            " or c.resolution = 'approved' and c.keeps_contract))"
            " from governance.runs r where r.run_id = %s",
            [run.run_id],
        ).fetchone()
        if row is None:
            return False
        reason, contract_sha256, answered = row
        if reason == RunReason.CONTRACT_UNPROMOTED.value:
            return versions.authorised(self.conn, self.contract)
        return bool(answered) or contract_sha256 != self.contract.sha256

    def _kept_attempt(self, run: runs.Run) -> publications.Attempt | None:
        """The producer's key under which the delivery was received."""
        row = self.conn.execute(
            "select tenant, producer, idempotency_key from governance.deliveries"
            " where delivery_id = %s and producer is not null",
            [run.delivery_id],
        ).fetchone()
        if row is None:
            return None
        return publications.Attempt(
            row[0], row[1], row[2], _request(self.contract.name, run.artifact.sha256)
        )

    def _attempt(self, artifact: artifacts.Artifact) -> publications.Attempt | None:
        options = self.options
        if not options.producer or not options.idempotency_key:
            return None
        return publications.Attempt(
            options.tenant or DEFAULT_TENANT,
            options.producer,
            options.idempotency_key,
            _request(self.contract.name, artifact.sha256),
        )


def _published_otherwise(guard: Connection, key: publications.Attempt) -> str:
    """Wait for attempts with the key; what to say where another request was published under it."""
    try:
        publications.serialise(guard, key)
    except UsageError as error:
        return str(error)
    return ""


def _request(dataset: str, sha256: str) -> str:
    """A hash of what a producer asks for: these bytes, for this dataset."""
    return hashlib.sha256(f"{dataset}\n{sha256}".encode()).hexdigest()
