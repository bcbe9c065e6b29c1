"""Remove what contracts do not keep any longer; a dry run unless told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option

if TYPE_CHECKING:
    from tidegate.connection import Connection


@click.command()
@click.option("--family", help="Only generations of this family.")
@click.option("--dataset", help="Only what was delivered for this dataset.")
@click.option("--apply", "really", is_flag=True, help="Remove; without it, only say what would go.")
@click.option("--by", default="", help="Who decided (needed with --apply).")
@click.option("--reason", default="", help="Why (needed with --apply).")
@click.option(
    "--hold",
    "hold",
    help="Place a legal hold instead: a generation of --family, a delivery of --dataset, or all.",
)
@click.option("--release", "release", type=int, help="Release the hold of this number instead.")
@json_option
def command(
    family: str | None,
    dataset: str | None,
    really: bool,
    by: str,
    reason: str,
    hold: str | None,
    release: int | None,
    as_json: bool,
) -> None:
    """Remove what contracts do not keep any longer; a dry run unless told otherwise.

    A generation stays while it is held, referenced, kept by its contract's retention, or while a
    running transaction could still look at it. Of deliveries go artefacts, rows that no landing
    view needs, quarantined values and stages of failed runs, each after the days that the dataset's
    contract gives; what is under hold, waits for an answer or is still needed stays.
    """
    from datetime import datetime, timezone

    from tidegate.cli.session import opened, print_json
    from tidegate.contracts.load import load_project
    from tidegate.deliveries import retention
    from tidegate.deliveries.pruning import Pruner
    from tidegate.errors import UsageError
    from tidegate.publishing import prune
    from tidegate.publishing.families import generations_kept
    from tidegate.reporting.publication import prune_lines
    from tidegate.reporting.retention import retention_lines

    if family and dataset:
        raise UsageError("--family and --dataset exclude each other.", remedy="Give one of them.")
    settings, warehouse = opened()
    if hold is not None or release is not None:
        with warehouse.connect() as conn:
            click.echo(_hold(conn, family, dataset, hold, release, by, reason))
        return
    project = load_project(settings.project_dir)
    if dataset:
        project.dataset(dataset)
    at = datetime.now(timezone.utc)
    with warehouse.connect() as conn:
        items = () if dataset else prune.plan(conn, generations_kept(project), family)
        old = () if family else retention.plan(conn, project, at=at, dataset=dataset)
    if really:
        pruner = Pruner(project, settings.artifacts_dir, by=by, reason=reason, at=at)
        if not dataset:
            prune.apply(warehouse, items, by=by, reason=reason)
        if not family:
            removed = pruner.apply(warehouse, dataset)
            old = (*removed, *(item for item in old if item.kept_because))
    if as_json:
        document = {
            "applied": really,
            "generations": [item.document() for item in items],
            "deliveries": [item.document() for item in old],
        }
        print_json(document)
        return
    lines = [] if dataset else prune_lines(items, applied=really)
    lines += [] if family else retention_lines(old, applied=really)
    if not really and "" in {item.kept_because for item in items} | {
        item.kept_because for item in old
    }:
        lines.append("Nothing was removed. Add --apply --by NAME --reason WHY to do it.")
    click.echo("\n".join(lines))


def _hold(
    conn: Connection,
    family: str | None,
    dataset: str | None,
    hold: str | None,
    release: int | None,
    by: str,
    reason: str,
) -> str:
    """Place or release a hold; what to say about it."""
    from tidegate.deliveries import holds
    from tidegate.errors import UsageError
    from tidegate.names import parse_generation_label
    from tidegate.publishing import prune

    if not by or not reason or (hold is not None and not (family or dataset)):
        raise UsageError(
            "A hold needs who and why.",
            remedy="Give --by, --reason and, for --hold, --family or --dataset.",
        )
    if release is not None:
        if dataset:
            holds.release(conn, dataset, release, by=by, reason=reason)
        else:
            prune.release_hold(conn, release, by=by, reason=reason)
        return f"Hold {release} released."
    wanted = str(hold)
    if dataset:
        if wanted != "all" and not (wanted.isascii() and wanted.isdigit()):
            raise UsageError(
                f"{wanted!r} is no delivery.", remedy="Give its number, or all for the dataset."
            )
        delivery = None if wanted == "all" else int(wanted)
        number = holds.place(conn, dataset, delivery, by=by, reason=reason)
        return f"Hold {number} placed on {dataset} {wanted}."
    generation = parse_generation_label(wanted)
    number = prune.place_hold(conn, str(family), generation, kind="legal", by=by, reason=reason)
    return f"Hold {number} placed on {family} {wanted}."
