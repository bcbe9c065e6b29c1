"""Quarantined records: list, explain, count, read again or give up."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from tidegate.cli.session import json_option, opened, print_json, require_dataset

_STATES = ["held", "reprocessed", "discarded", "all"]


@click.group()
def command() -> None:
    """Quarantined records of deliveries. Their values are never shown, except by `show --raw`."""


@command.command("list")
@click.option("--dataset", help="Only this dataset.")
@click.option(
    "--state",
    type=click.Choice(_STATES),
    default="held",
    show_default=True,
    help="Only records in this state.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, show_default=True, help="At most so many."
)
@json_option
def list_(dataset: str | None, state: str, limit: int, as_json: bool) -> None:
    """Records in the order they were held."""
    from tidegate.deliveries import looking

    settings, warehouse = opened()
    with warehouse.connect() as conn:
        wanted = None if state == "all" else state
        rows = looking.listed(conn, dataset=dataset, state=wanted, limit=limit)
    require_dataset(settings, dataset, found=bool(rows))
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    if not rows:
        click.echo("Nothing is quarantined.")
    for row in rows:
        field = f" {row.field}" if row.field else ""
        click.echo(
            f"{row.quarantine_id}  {row.dataset} delivery {row.delivery_id} record "
            f"{row.record_number}: {row.reason}{field} ({row.state}, attempt {row.attempts})"
        )


@command.command()
@click.argument("quarantine_id", type=int)
@click.option("--raw", "show_raw", is_flag=True, help="Write the record's bytes, nothing else.")
@json_option
def show(quarantine_id: int, show_raw: bool, as_json: bool) -> None:
    """Everything about one record, and what happened to it."""
    from tidegate.deliveries import looking

    _, warehouse = opened()
    with warehouse.connect() as conn:
        found = looking.entry(conn, quarantine_id)
        if show_raw:
            sys.stdout.buffer.write(looking.raw(conn, quarantine_id))
            return
        events = looking.events(conn, quarantine_id)
    if as_json:
        print_json({**asdict(found), "events": events})
        return
    for name, value in asdict(found).items():
        click.echo(f"{name}: {'' if value is None else value}")
    for event in events:
        what = " ".join(str(event[key]) for key in ("reason", "field", "note") if event[key])
        click.echo(f"  {event['happened_at']}  {event['event']} by {event['actor']}: {what}")


@command.command()
@click.option("--dataset", help="Only this dataset.")
@json_option
def stats(dataset: str | None, as_json: bool) -> None:
    """Counts by reason, and the quarantine rate of the newest runs."""
    from tidegate.deliveries import looking

    settings, warehouse = opened()
    with warehouse.connect() as conn:
        rows = looking.statistics(conn, dataset)
        rates = looking.rates(conn, dataset)
    require_dataset(settings, dataset, found=bool(rows or rates))
    if as_json:
        print_json({"reasons": [asdict(row) for row in rows], "runs": rates})
        return
    if not rows:
        click.echo("Nothing is quarantined.")
    for row in rows:
        field = f" {row.field}" if row.field else ""
        click.echo(f"{row.dataset}  {row.state}  {row.records} x {row.reason}{field}")
    for rate in rates:
        share = rate["quarantine_rate"]
        shown = "nothing read" if share is None else f"{share:.2%}"
        click.echo(
            f"run {rate['run_id']}  {rate['dataset']}  {rate['status']},"
            f" held {rate['rows_quarantined']} of {rate['rows_read']} records ({shown})"
        )


@command.command()
@click.argument("dataset")
@click.argument("ids", nargs=-1, type=int)
@click.option("--by", required=True, help="Who answers for it.")
@json_option
def reprocess(dataset: str, ids: tuple[int, ...], by: str, as_json: bool) -> None:
    """Read held records of DATASET again under the present contract (all, or those of IDS)."""
    from tidegate.contracts.load import load_project
    from tidegate.deliveries.reprocess import reprocess as again

    settings, warehouse = opened()
    project = load_project(settings.project_dir)
    done = again(warehouse, project, dataset, by=by, ids=ids)
    if as_json:
        print_json([asdict(one) for one in done])
    elif not done:
        click.echo(f"Nothing of {dataset} is held.")
    for one in () if as_json else done:
        detail = f" {one.detail}" if one.detail else ""
        click.echo(
            f"{one.dataset} delivery {one.delivery_id}: {one.accepted} accepted, "
            f"{one.held} still held.{detail}"
        )
    raise SystemExit(1 if any(one.held or one.detail for one in done) else 0)


@command.command()
@click.argument("ids", nargs=-1, required=True, type=int)
@click.option("--by", required=True, help="Who gives them up.")
@click.option("--reason", required=True, help="Why.")
@json_option
def discard(ids: tuple[int, ...], by: str, reason: str, as_json: bool) -> None:
    """Give held records up. Everything about them is kept."""
    from tidegate.deliveries import quarantine

    _, warehouse = opened()
    with warehouse.connect() as conn:
        count = quarantine.discard(conn, ids, by=by, reason=reason)
    if as_json:
        print_json({"discarded": count})
        return
    click.echo(f"Discarded {count} record(s); reasons and bytes are kept.")
