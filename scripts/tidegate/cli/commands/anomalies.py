"""Anomalies: list, explain and acknowledge what the detectors raised."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option, opened, print_json, require_dataset

if TYPE_CHECKING:
    from tidegate.detection.looking import Anomaly

_SEVERITIES = ["low", "medium", "high", "critical"]


@click.group()
def command() -> None:
    """Anomalies are advisory: no delivery is blocked or quarantined because of one."""


@command.command("list")
@click.option("--dataset", help="Only this dataset.")
@click.option("--all", "everything", is_flag=True, help="Those that somebody looked at, too.")
@click.option(
    "--severity", type=click.Choice(_SEVERITIES), default="low", help="At least this severe."
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, show_default=True, help="At most so many."
)
@json_option
def list_(dataset: str | None, everything: bool, severity: str, limit: int, as_json: bool) -> None:
    """The most severe first."""
    from tidegate.detection import looking
    from tidegate.detection.vocabulary import Severity

    settings, warehouse = opened()
    with warehouse.connect() as conn:
        rows = looking.listed(
            conn, dataset=dataset, everything=everything, least=Severity(severity), limit=limit
        )
    require_dataset(settings, dataset, found=bool(rows))
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    if not rows:
        click.echo("No anomalies." if everything else "No open anomalies.")
    for row in rows:
        state = f" ({row.assessment or 'acknowledged'})" if not row.is_open else ""
        click.echo(f"{row.anomaly_id:>6}  {row.severity:<8}  {_sentence(row)}{state}")


def _sentence(row: Anomaly) -> str:
    delivery = f" delivery {row.delivery_id}" if row.delivery_id else ""
    return f"{row.dataset}{delivery}: {row.sentence}"


@command.command()
@click.argument("anomaly_id", type=int)
@json_option
def show(anomaly_id: int, as_json: bool) -> None:
    """Everything about one anomaly: its run, the run's quarantine, what other detectors said."""
    from tidegate.detection import looking

    _, warehouse = opened()
    with warehouse.connect() as conn:
        found = looking.entry(conn, anomaly_id)
        said = looking.detections(conn, found.run_id) if found.run_id else []
        held = looking.quarantined(conn, found.run_id) if found.run_id else []
    if as_json:
        print_json({**asdict(found), "detections": said, "quarantine": held})
        return
    for name, value in asdict(found).items():
        click.echo(f"{name}: {'' if value is None else value}")
    for one in said:
        detail = f" {one['detail']}" if one["detail"] else ""
        click.echo(f"  {one['detector']}: {one['outcome']}, {one['baseline']} compared.{detail}")
    for one in held:
        field = f" {one['field']}" if one["field"] else ""
        click.echo(f"  quarantined: {one['records']} {one['reason']}{field}")


@command.command()
@click.argument("anomaly_ids", metavar="ID...", type=int, nargs=-1, required=True)
@click.option(
    "--as",
    "assessment",
    type=click.Choice(["incident", "expected"]),
    required=True,
    help="incident: the run is left out of later baselines. expected: not raised again.",
)
@click.option("--by", required=True, help="Who looked.")
@click.option("--reason", required=True, help="What was found out.")
@json_option
def acknowledge(
    anomaly_ids: tuple[int, ...], assessment: str, by: str, reason: str, as_json: bool
) -> None:
    """Say what anomalies were, and close their review items: all of them or none."""
    from tidegate.detection import looking
    from tidegate.detection.vocabulary import Assessment

    _, warehouse = opened()
    with warehouse.transaction() as conn:
        looking.assess(conn, anomaly_ids, Assessment(assessment), by=by, reason=reason)
        left = len(looking.listed(conn, limit=1_000_000))
    if as_json:
        print_json({"acknowledged": list(dict.fromkeys(anomaly_ids)), "open": left})
    else:
        click.echo(f"Acknowledged {len(set(anomaly_ids))} as {assessment}, {left} open.")


@command.command()
@json_option
def check(as_json: bool) -> None:
    """Raise deliveries that did not come, and judge runs that nobody judged yet.

    For a scheduler. Exit code 0, whatever is found: anomalies are advisory.
    """
    from tidegate.contracts.load import load_project
    from tidegate.detection.checking import check

    settings, warehouse = opened()
    project = load_project(settings.project_dir)
    with warehouse.connect() as conn:
        found = check(conn, project.datasets.values())
    if as_json:
        missing = {name: list(days) for name, days in found.missing.items()}
        print_json({"judged": found.judged, "missing": missing, "failed": list(found.failed)})
        return
    for line in found.sentences():
        click.echo(line)
    number = sum(map(len, found.missing.values()))
    click.echo(f"Judged {found.judged} run(s), {number} deliveries missing.")


@command.command("self-test")
@click.option("--dataset", help="Use this dataset's own history instead of simulated ones.")
@json_option
def self_test(dataset: str | None, as_json: bool) -> None:
    """Inject faults and see whether the detectors find them; nothing is recorded.

    Exit code 1 where a fault in a simulated history is not found: then the detectors are broken.
    """
    from tidegate.contracts.load import load_project
    from tidegate.detection import selftest
    from tidegate.errors import UsageError

    if dataset is None:
        probes = selftest.self_test()
    else:
        settings, warehouse = opened()
        contract = load_project(settings.project_dir).dataset(dataset)
        with warehouse.connect() as conn:
            probes = selftest.probe(conn, contract)
        if not probes:
            raise UsageError(f"{dataset} has no accepted delivery.", remedy="Land one first.")
    if as_json:
        print_json([asdict(one) for one in probes])
    for one in () if as_json else probes:
        word = "found" if one.found else "NOT found"
        detail = f" {one.detail}" if one.detail else ""
        click.echo(f"{one.dataset}: {one.fault.value} {word} by {one.detector.value}.{detail}")
    raise SystemExit(0 if dataset or all(one.found for one in probes) else 1)
