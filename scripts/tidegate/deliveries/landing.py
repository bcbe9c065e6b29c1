"""Land files: find their dataset, store them, and take each as far as it goes.

`land` is what the command, `refresh` and the tests call. Files are independent of each other: one
that cannot be landed never keeps another from being landed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.contracts.model import Project
from tidegate.deliveries import landing_counts, routing, runs, staging, versions, waiting
from tidegate.deliveries.lander import Lander, LandOptions
from tidegate.deliveries.report import DatasetState, FileOutcome, LandingReport
from tidegate.errors import UsageError
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

OnEvent = Callable[[FileOutcome], None]


def land(
    settings: Settings,
    warehouse: Warehouse,
    paths: Sequence[Path],
    options: LandOptions | None = None,
    on_event: OnEvent | None = None,
) -> LandingReport:
    """Land every file of `paths`; the ledger is at its newest version already.

    Raises UsageError for what cannot mean anything (no file, no such dataset, half a producer),
    ContractError for contracts that cannot be read, and LandingBlocked where somebody holds a lock
    for longer than landing waits; everything else is in the report.
    """
    options = options or LandOptions()
    project = load_project(settings.project_dir)
    _check_options(options, project)
    listed = routing.list_files(paths)
    if options.idempotency_key and len(listed.files) > 1:
        raise UsageError(
            f"One idempotency key was given for {len(listed.files)} files.",
            remedy="Land them one by one, each with its own key.",
        )
    patterns = {name: item.keys.delivery.match for name, item in project.datasets.items()}
    outcomes: list[FileOutcome] = []

    def ended(outcome: FileOutcome) -> None:
        outcomes.append(outcome)
        if on_event:
            on_event(outcome)

    with waiting.bounded(warehouse, "tidegate land") as conn:
        versions.prepare(conn, project.datasets.values())
        staging.sweep(conn)
        for outcome in _resume(settings, warehouse, conn, project):
            ended(outcome)
        for source in listed.files:
            found = options.dataset or routing.route(source, patterns)
            if isinstance(found, routing.Unrouted):
                ended(FileOutcome(source.name, error=found.message, exit_code=2))
            else:
                lander = Lander(settings, warehouse, conn, project.datasets[found], options)
                ended(lander.land(source))
        for one in listed.unreadable:
            ended(FileOutcome(one.name, error=one.message, exit_code=2))
        return LandingReport(tuple(outcomes), states(conn, project))


def resume(settings: Settings, warehouse: Warehouse) -> LandingReport:
    """Take on the parked runs whose answer has come: approved, rejected, or in the YAML by now."""
    project = load_project(settings.project_dir)
    with waiting.bounded(warehouse, "tidegate land") as conn:
        versions.prepare(conn, project.datasets.values())
        outcomes = tuple(_resume(settings, warehouse, conn, project))
        return LandingReport(outcomes, states(conn, project))


def _resume(
    settings: Settings,
    warehouse: Warehouse,
    conn: Connection,
    project: Project,
) -> Iterator[FileOutcome]:
    for run in runs.parked_runs(conn):
        contract = project.datasets.get(run.dataset)
        if contract is None:
            continue
        outcome = Lander(settings, warehouse, conn, contract, LandOptions()).resume(run)
        if outcome is not None:
            yield outcome


def prepare(warehouse: Warehouse, project: Project) -> None:
    """Make `landing.<dataset>` of every contract, so that dbt finds its sources."""
    with waiting.bounded(warehouse, "tidegate prepare") as conn:
        versions.prepare(conn, project.datasets.values())


def _check_options(options: LandOptions, project: Project) -> None:
    if options.dataset:
        project.dataset(options.dataset)
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


def states(conn: Connection, project: Project) -> tuple[DatasetState, ...]:
    """What readers of every dataset see now."""
    return landing_counts.states(conn, [one for _, one in sorted(project.datasets.items())])


__all__ = ["LandOptions", "land", "prepare", "resume", "states"]
