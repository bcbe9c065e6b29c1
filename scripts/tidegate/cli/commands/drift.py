"""Schema changes of deliveries: list, explain, approve and reject them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from tidegate.cli.session import json_option, opened, print_json, require_dataset

if TYPE_CHECKING:
    from tidegate.deliveries.drift_rows import DriftRow


@click.group()
def command() -> None:
    """Schema changes of deliveries, and who allowed them."""


@command.command("list")
@click.option("--dataset", help="Only this dataset.")
@click.option("--all", "everything", is_flag=True, help="Also changes that were answered.")
@json_option
def list_(dataset: str | None, everything: bool, as_json: bool) -> None:
    """Changes that wait for an answer, oldest first."""
    from tidegate.deliveries import drift_rows

    settings, warehouse = opened()
    with warehouse.connect() as conn:
        rows = drift_rows.listed(conn, dataset=dataset, everything=everything)
    require_dataset(settings, dataset, found=bool(rows))
    if as_json:
        print_json([asdict(row) for row in rows])
    elif not rows:
        click.echo("No schema change waits for an answer.")
    for row in () if as_json else rows:
        click.echo(_line(row))


@command.command()
@click.argument("run_id", type=int)
@json_option
def show(run_id: int, as_json: bool) -> None:
    """Everything about the schema changes of one run."""
    from tidegate.deliveries import drift_rows

    _, warehouse = opened()
    with warehouse.connect() as conn:
        rows = drift_rows.of_run(conn, run_id)
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for row in rows:
        click.echo(_line(row))
        click.echo(f"    was: {row.details.get('old') or '-'}")
        click.echo(f"    is:  {row.details.get('new') or '-'}")
        if row.details.get("hint"):
            click.echo(f"    {row.details['hint']}")
        click.echo(f"    {row.disposition}: {row.details.get('because')}")
        if row.resolved_by:
            click.echo(f"    by {row.resolved_by} at {row.resolved_at}: {row.resolved_reason}")
        if row.patch_path:
            click.echo(f"    patch: {row.patch_path}")


@command.command()
@click.argument("run_id", type=int)
@click.option("--by", required=True, help="Who approves.")
@click.option("--reason", required=True, help="Why.")
@click.option(
    "--keep-contract",
    is_flag=True,
    help="Let this delivery pass under the contract as it is: new columns are left out, "
    "missing ones are null.",
)
@json_option
def approve(run_id: int, by: str, reason: str, keep_contract: bool, as_json: bool) -> None:
    """Approve the parked changes of a run.

    The contract that results is written as a patch; the run goes on when the checked-in YAML has
    it. With --keep-contract the run goes on at once.
    """
    from tidegate.contracts.load import load_project
    from tidegate.deliveries import approvals
    from tidegate.deliveries.landing import resume

    settings, warehouse = opened()
    project = load_project(settings.project_dir)
    answer = approvals.Answer(by, reason, keep_contract)
    with warehouse.connect() as conn:
        done = approvals.approve(conn, settings.project_dir, settings.home, project, run_id, answer)
    report = resume(settings, warehouse)
    if as_json:
        print_json({"approved": asdict(done), "resumed": report.document()})
        return
    click.echo(f"Approved {done.changes} change(s) of run {run_id} for {done.dataset}.")
    if done.patch_path:
        click.echo(f"The contract that results: git apply {done.patch_path}")
        click.echo("Commit it; the run goes on with the next `tidegate land` or `refresh`.")
    _resumed(report)


@command.command()
@click.argument("run_id", type=int)
@click.option("--by", required=True, help="Who rejects.")
@click.option("--reason", required=True, help="Why.")
@json_option
def reject(run_id: int, by: str, reason: str, as_json: bool) -> None:
    """Reject the parked changes of a run: the run ends, the contract stands unchanged."""
    from tidegate.contracts.load import load_project
    from tidegate.deliveries import approvals
    from tidegate.deliveries.landing import resume

    settings, warehouse = opened()
    project = load_project(settings.project_dir)
    with warehouse.connect() as conn:
        count = approvals.reject(conn, project, run_id, approvals.Answer(by, reason))
    report = resume(settings, warehouse)
    if as_json:
        print_json({"rejected": count, "resumed": report.document()})
        return
    click.echo(f"Rejected {count} change(s) of run {run_id}. The contract stands unchanged.")
    _resumed(report)


def _resumed(report: Any) -> None:
    from tidegate.deliveries.text import as_text

    if report.files:
        click.echo(as_text(report))


def _line(row: DriftRow) -> str:
    from tidegate.names import shown

    return (
        f"run {row.run_id}  {row.dataset}.{shown(row.field)}: {row.kind} ({row.reason_code}, "
        f"{row.classification}) {row.resolution}"
    )
