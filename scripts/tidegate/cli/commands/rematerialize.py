"""Read rows that a narrowed contract hides again, under the contract of now."""

from __future__ import annotations

from dataclasses import asdict

import click

from tidegate.cli.session import json_option, opened, print_json


@click.command()
@click.argument("dataset")
@click.option("--by", required=True, help="Who answers for it.")
@json_option
def command(dataset: str, by: str, as_json: bool) -> None:
    """Read rows of DATASET that a narrowed contract hides again, under the contract of now.

    Their records are read from the stored files. What conforms is accepted as a new
    materialization, once, and never over a newer row of its key; what does not stays hidden.
    Exit code 1 where rows stay hidden.
    """
    from tidegate.contracts.load import load_project
    from tidegate.deliveries.rematerialize import rematerialize

    settings, warehouse = opened()
    project = load_project(settings.project_dir)
    done = rematerialize(settings, warehouse, project, dataset, by=by)
    if as_json:
        print_json([asdict(one) for one in done])
    elif not done:
        click.echo(f"No row of {dataset} is hidden.")
    for one in () if as_json else done:
        detail = f" {one.detail}" if one.detail else ""
        click.echo(
            f"{one.dataset} delivery {one.delivery_id}: {one.accepted} accepted, "
            f"{one.hidden} still hidden.{detail}"
        )
    raise SystemExit(1 if any(one.hidden for one in done) else 0)
