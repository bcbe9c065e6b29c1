"""Ask models what the project declares, and say what their answers are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import actor, fail_on_option, json_option, opened, print_json

if TYPE_CHECKING:
    from tidegate.inference.run import RunReport
    from tidegate.inference.running import Plan


@click.group()
def command() -> None:
    """Ask models what `inference/*.yml` declares, through one runtime that records everything."""


@command.command()
@click.argument("tasks", metavar="[TASK...]", nargs=-1)
@click.option("--batch", is_flag=True, help="By the provider's native batch.")
@click.option(
    "--wait",
    "wait_seconds",
    type=click.FloatRange(0),
    default=0,
    show_default=True,
    help="Seconds to wait for a batch; one that still runs is collected by the next run.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be asked.")
@fail_on_option
@json_option
def run(
    tasks: tuple[str, ...],
    batch: bool,
    wait_seconds: float,
    dry_run: bool,
    fail_on: str,
    as_json: bool,
) -> None:
    """Answer the inputs of these tasks (none: of all), and use what is accepted.

    What was accepted before is not asked again. A question without an acceptable answer is an
    error, one that waits for a batch, a verifier or a human a warning (--fail-on).
    """
    from tidegate.inference.running import open_runtime, plan, run_tasks
    from tidegate.inference.vocabulary import Transport

    settings, warehouse = opened()
    runtime = open_runtime(settings, warehouse, actor())
    if dry_run:
        _show_plans(plan(runtime, tasks), as_json)
        return
    transport = Transport.NATIVE_BATCH if batch else Transport.SYNC
    reports = run_tasks(
        runtime, tasks, transport=transport, wait_seconds=wait_seconds, actor=actor()
    )
    if as_json:
        print_json([report.document() for report in reports])
    else:
        show_runs(reports)
    unanswered = any(report.unanswered for report in reports)
    waiting = any(report.waiting for report in reports)
    if (unanswered and fail_on != "never") or (waiting and fail_on == "warning"):
        raise SystemExit(1)


def show_runs(reports: Sequence[RunReport]) -> None:
    """A line or two for each run."""
    for report in reports:
        states = ", ".join(
            f"{count} {name}"
            for name, count in (
                ("accepted", report.accepted),
                ("answered before", report.reused),
                ("rejected", report.rejected),
                ("waiting", report.waiting),
                ("given up", report.exhausted),
            )
            if count
        )
        unpriced = f", {report.unpriced} calls of unknown cost" if report.unpriced else ""
        click.echo(
            f"{report.task}@{report.revision} by {report.profile}: {report.questions} questions,"
            f" {states or 'none answered'}; {report.calls} calls, ${report.cost_usd:.4f}{unpriced};"
            f" {report.projected} uses written, {report.withdrawn} withdrawn."
        )


def _show_plans(plans: Sequence[Plan], as_json: bool) -> None:
    if as_json:
        print_json([item.document() for item in plans])
        return
    for item in plans:
        click.echo(
            f"{item.task}@{item.revision} by {item.profile}: {len(item.unanswered)} of"
            f" {item.questions} questions have no accepted answer. Nothing was asked."
        )


@command.command()
@click.argument("task")
@click.argument("route")
@json_option
def compare(task: str, route: str, as_json: bool) -> None:
    """Ask what has an accepted answer once more, on another route, and count what differs.

    For choosing a profile: the attempts are recorded and cost what they cost, and none is used.
    """
    from tidegate.inference import comparing
    from tidegate.inference.running import open_runtime

    settings, warehouse = opened()
    found = comparing.compare(open_runtime(settings, warehouse, actor()), task, route)
    if as_json:
        print_json(found.document())
        return
    click.echo(
        f"{found.task} by {found.profile}: of {found.questions} accepted answers {found.same} are"
        f" the same, {found.different} differ, {found.invalid} are invalid, {found.unanswered} did"
        " not come. Nothing of it is used."
    )


@command.command()
@click.option(
    "--days", type=click.IntRange(1), default=30, show_default=True, help="Days the cost is of."
)
@json_option
def status(days: int, as_json: bool) -> None:
    """What the ledger knows of each task: requests, attempts, decisions, uses, cost."""
    from tidegate.inference.status import task_statuses

    _, warehouse = opened()
    with warehouse.connect() as conn:
        tasks = task_statuses(conn, days)
    if as_json:
        print_json([asdict(task) for task in tasks])
        return
    if not tasks:
        click.echo("No task was ever asked.")
    for task in tasks:
        impact = "high impact, " if task.high_impact else ""
        click.echo(
            f"{task.task_id}@{task.newest_revision}  ({impact}policy"
            f" {task.policy_version or 'none'}, routes {', '.join(task.active_routes) or 'none'})"
        )
        click.echo(
            f"    {task.answered} of {task.requests} questions answered,"
            f" {task.undecided} undecided; {task.uses} uses, {task.outdated_uses} outdated"
        )
        click.echo(
            f"    {task.attempts} attempts: {task.succeeded} succeeded ({task.invalid} invalid),"
            f" {task.failed} failed, {task.timed_out} timed out, {task.refused} refused,"
            f" {task.under_way} under way"
        )
        unpriced = f", {task.unpriced} calls of unknown cost" if task.unpriced else ""
        click.echo(f"    ${task.cost_usd:.4f} in {days} days{unpriced}")


@command.command()
@click.argument("attempt")
@click.option("--accept/--reject", "accept", default=None, help="What is decided.")
@click.option("--by", required=True, help="Who decides.")
@click.option("--reason", required=True, help="Why.")
def decide(attempt: str, accept: bool | None, by: str, reason: str) -> None:
    """Accept or reject an attempt that waits for a person; the next run uses what was accepted."""
    from tidegate.errors import UsageError
    from tidegate.inference.running import decide_by_hand

    if accept is None:
        raise UsageError("Nothing is decided.", remedy="Give --accept or --reject.")
    _, warehouse = opened()
    with warehouse.transaction() as conn:
        decide_by_hand(conn, attempt, accept=accept, by=by, reason=reason)
    click.echo(f"{'Accepted' if accept else 'Rejected'} by {by.strip()}.")


@command.command()
def schema() -> None:
    """Print the JSON Schema of `inference/*.yml`, for editors."""
    from tidegate.inference.schema import schema_text

    click.echo(schema_text(), nl=False)
